import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { ArgumentError } from '../../model/errors.js';
import { linkAbort } from '../../model/linked-abort.js';
import { Interruption } from './exit-codes.js';
import { type CommandIo, readText, write } from './io.js';

const MIN_LENGTH = 8;

type Streams = Pick<CommandIo, 'stdin' | 'stderr' | 'signal'>;

/** Reads a password from a terminal without echoing it, or else from the first line of standard input. */
export function readPassword(io: Streams): Promise<string> {
  return withPrompts(io, (ask) => ask('Password: '));
}

/** Reads a new password. On a terminal, the user must enter it twice. */
export function readNewPassword(io: Streams): Promise<string> {
  return withPrompts(io, async (ask) => {
    const password = await ask(`New password (at least ${MIN_LENGTH} characters): `);
    if ([...password].length < MIN_LENGTH)
      throw new ArgumentError('password', `the password must have at least ${MIN_LENGTH} characters`);
    if (io.stdin.isTTY === true && (await ask('Repeat the password: ')) !== password)
      throw new ArgumentError('password', 'the passwords do not match; nothing was changed');
    return password;
  });
}

/** Calls `step` with a function that asks for a password. A line typed before the prompt appears is also accepted. */
async function withPrompts(
  { stdin, stderr, signal }: Streams,
  step: (ask: (prompt: string) => Promise<string>) => Promise<string>,
): Promise<string> {
  if (stdin.isTTY !== true)
    return step(async () => requirePassword((await readText(stdin, signal)).split(/\r?\n/, 1)[0]));
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const stop = linkAbort(signal);
  const { signal: ended } = stop;
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0, signal: ended });
  lines.once('SIGINT', () => stop.abort(new Interruption('SIGINT')));
  const answers = lines[Symbol.asyncIterator]();
  try {
    return await step(async (prompt) => {
      await write(stderr, prompt);
      const { value } = await answers.next();
      await write(stderr, '\n');
      ended.throwIfAborted();
      return requirePassword(value);
    });
  } finally {
    lines.close();
    stop.unlink();
  }
}

function requirePassword(password = ''): string {
  if (password === '') throw new ArgumentError('password', 'the password is empty');
  return password;
}
