import { PassThrough, Writable } from 'node:stream';
import { run } from '../../src/cli/program.js';
import { Interruption } from '../../src/cli/terminal/exit-codes.js';
import type { CommandIo, Input, Output } from '../../src/cli/terminal/io.js';

/** The exit code and the output of a command. */
export interface Ending {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Makes all three streams a terminal. */
  readonly terminal?: boolean;
}

/** A stream that records what is written. */
export class RecordingStream extends Writable {
  readonly chunks: Buffer[] = [];
  readonly isTTY?: boolean;
  readonly columns?: number;

  constructor(terminal: boolean) {
    super();
    if (terminal) Object.assign(this, { isTTY: true, columns: 120 });
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(Buffer.from(chunk));
    done();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }
}

/** A terminal to type on, or a pipe that holds the whole input. */
function inputOf(text: string, terminal: boolean): PassThrough & Input {
  const input = Object.assign(new PassThrough(), terminal ? { isTTY: true, setRawMode: () => {} } : {});
  if (!terminal) input.end(text);
  return input;
}

/** Streams that record their output. */
export function recordingIo(options: RunOptions = {}): {
  io: CommandIo;
  stdout: RecordingStream;
  stderr: RecordingStream;
  stdin: PassThrough;
} {
  const { input = '', env = {}, signal = new AbortController().signal, terminal = false } = options;
  const [stdout, stderr] = [new RecordingStream(terminal), new RecordingStream(terminal)];
  const stdin = inputOf(input, terminal);
  return {
    io: { stdin, stdout: stdout as Output, stderr: stderr as Output, env, signal },
    stdout,
    stderr,
    stdin,
  };
}

/** The words of a command line. What is inserted is one word, whatever it holds. */
export function words(texts: TemplateStringsArray, ...inserted: readonly string[]): string[] {
  return texts.flatMap((text, at) => [...text.split(/\s+/).filter(Boolean), ...inserted.slice(at, at + 1)]);
}

/** Runs a command in this process. */
export async function runCommand(argv: readonly string[], options: RunOptions = {}): Promise<Ending> {
  const { io, stdout, stderr } = recordingIo(options);
  const code = await run(argv, io);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** A command in this process that listens. */
export interface Listening {
  readonly host: string;
  said(): { stdout: string; stderr: string };
  /** Stops it, and returns its exit code. */
  stop(): Promise<number>;
}

/** Starts a command that listens. The test that starts it must stop it. */
export async function startListening(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Listening> {
  const stop = new AbortController();
  const { io, stdout, stderr } = recordingIo({ signal: stop.signal, env });
  const ended = run(argv, io);
  const find = () => /listening on (http[^\s;]+)/.exec(stdout.text + stderr.text);
  await until(() => find() !== null, ended).catch(async (error: unknown) => {
    throw new Error(`${await ended}: ${stderr.text}`, { cause: error });
  });
  return {
    host: find()![1]!,
    said: () => ({ stdout: stdout.text, stderr: stderr.text }),
    stop() {
      stop.abort(new Interruption('SIGTERM'));
      return ended;
    },
  };
}

/** Serves a store that may be imported into. */
export function serveStore(store: string): Promise<Listening> {
  return startListening(['serve', '--store', store, '--port', '0', '--allow-import', '--log', 'none']);
}

export { temporaryFolder } from '../temporary-files.js';

/**
 * Polls until a condition holds.
 * @param ended settles when nothing more can happen: without it, a test that failed would poll for ever
 */
export async function until(holds: () => boolean, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  ended.then(over, over);
  while (!holds()) {
    if (isOver) throw new Error('the command ended before that');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
