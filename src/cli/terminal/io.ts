import type { Readable, Writable } from 'node:stream';
import { visibleJson, visibleLine, visibleText } from '../../frame/display/escape-text.js';
import { badArgument } from '../../model/errors.js';
import { isSystemError, systemReason } from '../../model/file-failure.js';
import { onAbort } from '../../model/linked-abort.js';

/** Standard input. Only a terminal has raw mode. */
export type Input = Readable & { readonly isTTY?: boolean | undefined; setRawMode?(raw: boolean): unknown };

/** Standard output or standard error. Only a terminal has `columns`. */
export type Output = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

/** A command's input and output, except for files and the network. Tests replace this object. */
export interface CommandIo {
  readonly stdin: Input;
  /** Receives only results. */
  readonly stdout: Output;
  /** Receives progress, notes, warnings and errors. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted with an `Interruption` on Ctrl-C or a signal. */
  readonly signal: AbortSignal;
}

export interface CommandContext extends CommandIo {
  /** The exit code to return if the command does not throw. */
  exitCode: number;
  /** The flags of the running command, keyed by the parameters that they set. */
  flags?: ReadonlyMap<string, string>;
}

export async function readText(stdin: Input, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) {
    signal.throwIfAborted();
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Writes content unchanged, and waits until the stream accepts it, so that a slow reader slows the writer down. */
export function write(output: Output, content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    // After a failure, further writes fail because the stream is destroyed. The first error is the one to report.
    output.write(content, (error) => (error ? reject(outputFailure(output.errored ?? error)) : resolve()));
  });
}

/** Returns the error to report if output cannot be written. A closed pipe's error (EPIPE) is returned unchanged. */
export function outputFailure(cause: unknown): unknown {
  if (!isSystemError(cause) || cause.code === 'EPIPE') return cause;
  return badArgument('standard output', `cannot be written: ${systemReason(cause)}`, { cause });
}

/** Writes a line of text. Control characters are escaped, so that a terminal does not interpret them. */
export function writeLine(output: Output, line: string): Promise<void> {
  return write(output, `${visibleText(line)}\n`);
}

export function writeJson(output: Output, value: unknown): Promise<void> {
  return write(output, `${visibleJson(JSON.stringify(value, null, 2))}\n`);
}

/** Writes a remark to standard error, but only if standard error is a terminal. */
export async function remark(io: Pick<CommandIo, 'stderr'>, text: string): Promise<void> {
  if (io.stderr.isTTY === true) await writeLine(io.stderr, text);
}

export function warn(io: Pick<CommandIo, 'stderr'>, text: string): Promise<void> {
  return writeLine(io.stderr, `warning: ${visibleLine(text)}`);
}

export function note(io: Pick<CommandIo, 'stderr'>, text: string): Promise<void> {
  return writeLine(io.stderr, `note: ${visibleLine(text)}`);
}

/** Writes warnings on at most nine lines, the last of which counts any that are left out. */
export async function warnOfAll(io: Pick<CommandIo, 'stderr'>, texts: readonly string[]): Promise<void> {
  for (const line of firstLines(texts)) await warn(io, line);
}

/** The maximum number of lines in a list, so that an error message has at most ten lines, including its heading. */
const MAX_LINES = 9;
const MAX_LINE_LENGTH = 300;

/** Returns one line per text. If there are more than nine texts, returns the first eight and a count of the others. */
export function firstLines(texts: readonly string[]): string[] {
  const shown = texts.length > MAX_LINES ? texts.slice(0, MAX_LINES - 1) : texts;
  const lines = shown.map((text) => text.replace(/\s*\n\s*/g, ' ').slice(0, MAX_LINE_LENGTH));
  return shown === texts ? lines : [...lines, `… and ${texts.length - shown.length} more`];
}

/** Clears an unfinished progress bar, so that the next message starts on a blank line. */
export function clearProgress({ stderr }: Pick<CommandIo, 'stderr'>): void {
  if (stderr.isTTY === true) stderr.write('\r\u001b[2K');
}

export function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((done) => void onAbort(signal, done));
}
