import { ArgumentError } from '../../model/errors.js';
import { Interruption } from './exit-codes.js';
import { type CommandIo, type Input, readText, write } from './io.js';

const END_OF_TEXT = '\u0003';
const END_OF_TRANSMISSION = '\u0004';
const KILL_LINE = '\u0015';
const RUBOUTS = ['\u007f', '\b'];
const MIN_LENGTH = 8;

/**
 * Reads a password: without echo on a terminal, else the first line of standard input.
 * @throws Interruption on Ctrl-C; ArgumentError for an empty password
 */
export async function readPassword(
  io: Pick<CommandIo, 'stdin' | 'stderr' | 'signal'>,
  prompt = 'Password: ',
): Promise<string> {
  const password =
    io.stdin.isTTY === true ? await readSecret(io, prompt) : await firstLine(io.stdin, io.signal);
  if (password === '') throw new ArgumentError('password', 'the password is empty');
  return password;
}

/**
 * Reads a new password, twice on a terminal.
 * @throws ArgumentError when the two differ, or the password is too short
 */
export async function readNewPassword(io: Pick<CommandIo, 'stdin' | 'stderr' | 'signal'>): Promise<string> {
  const password = await readPassword(io, `New password (at least ${MIN_LENGTH} characters): `);
  if ([...password].length < MIN_LENGTH) {
    throw new ArgumentError('password', `the password needs at least ${MIN_LENGTH} characters`);
  }
  if (io.stdin.isTTY === true && (await readPassword(io, 'Repeat the password: ')) !== password) {
    throw new ArgumentError('password', 'the passwords differ; nothing was changed');
  }
  return password;
}

async function readSecret(
  { stdin, stderr, signal }: Pick<CommandIo, 'stdin' | 'stderr' | 'signal'>,
  prompt: string,
): Promise<string> {
  await write(stderr, prompt);
  stdin.setRawMode?.(true);
  stdin.resume();
  try {
    return await new Promise((resolve, reject) => {
      let typed: readonly string[] = [];
      const onData = (chunk: Buffer | string): void => {
        const keys = [...String(chunk)];
        for (const [at, key] of keys.entries()) {
          const settle = settlementFor(key, { typed, resolve, reject });
          if (settle !== null) {
            end(settle);
            // Input typed ahead answers the next prompt.
            const ahead = keys.slice(at + 1).join('');
            if (ahead !== '') stdin.unshift(Buffer.from(ahead));
            return;
          }
          typed = afterKey(typed, key);
        }
      };
      const onAbort = (): void => end(() => reject(signal.reason));
      const end = (settle: () => void): void => {
        stdin.off('data', onData);
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      stdin.on('data', onData);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause();
    await write(stderr, '\n');
  }
}

interface Settling {
  readonly typed: readonly string[];
  readonly resolve: (password: string) => void;
  readonly reject: (reason: Error) => void;
}

/** Settles the password for a key that ends the input; null for any other key. */
function settlementFor(key: string, { typed, resolve, reject }: Settling): (() => void) | null {
  if (key === END_OF_TEXT) return () => reject(new Interruption('SIGINT'));
  return ['\r', '\n', END_OF_TRANSMISSION].includes(key) ? () => resolve(typed.join('')) : null;
}

function afterKey(typed: readonly string[], key: string): readonly string[] {
  if (key === KILL_LINE) return [];
  if (RUBOUTS.includes(key)) return typed.slice(0, -1);
  return key < ' ' ? typed : [...typed, key];
}

async function firstLine(stdin: Input, signal: AbortSignal): Promise<string> {
  return (await readText(stdin, signal)).split(/\r?\n/, 1)[0]!;
}
