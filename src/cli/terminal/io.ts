import type { Readable, Writable } from 'node:stream';

/** Where a person or a program types: raw mode is there only on a terminal. */
export type Input = Readable & { readonly isTTY?: boolean | undefined; setRawMode?(raw: boolean): unknown };

/** Where text goes; `columns` is known only on a terminal. */
export type Output = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

/** All that a command touches besides files and the network, so that it can run within a test as well as in a process. */
export interface CommandIo {
  readonly stdin: Input;
  /** Results, and nothing else. */
  readonly stdout: Output;
  /** Progress, remarks and errors. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted with an `Interruption` when the person or the system asks to stop. */
  readonly signal: AbortSignal;
}

/** What a command is given: its surroundings, and the place for an exit code other than 0 that is no failure. */
export interface CommandContext extends CommandIo {
  exitCode: number;
}

/** Writes, and waits until the other side took it, so that a slow reader holds the writer up and a gone one is noticed. */
export function write(output: Output, content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(content, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes one line of a result. */
export function writeLine(output: Output, line: string): Promise<void> {
  return write(output, `${line}\n`);
}

/** Writes a value as indented JSON. */
export function writeJson(output: Output, value: unknown): Promise<void> {
  return writeLine(output, JSON.stringify(value, null, 2));
}

/** Tells a person at the terminal something beside the result; a pipe or a file gets nothing. */
export async function remark(io: Pick<CommandIo, 'stderr'>, text: string): Promise<void> {
  if (io.stderr.isTTY === true) await writeLine(io.stderr, text);
}

/** Tells something that must not be missed, also where nobody is at the terminal. */
export function warn(io: Pick<CommandIo, 'stderr'>, text: string): Promise<void> {
  return writeLine(io.stderr, `warning: ${text}`);
}
