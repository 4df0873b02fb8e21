import { CommanderError } from 'commander';
import {
  AuthenticationError,
  CropframeError,
  type ErrorCode,
  HttpError,
  NetworkError,
} from '../../model/errors.js';
import { isSystemError } from '../../model/file-failure.js';
import { PartialDataError } from '../../model/report.js';
import { seriesKeyText } from '../../model/series.js';
import { type CommandIo, clearProgress, firstLines, writeLine } from './io.js';

/** The program's exit codes. Scripts rely on these numbers. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  nothingFound: 3,
  authentication: 4,
  partialData: 5,
  interrupted: 130,
} as const;

export const EXIT_CODE_HELP = `Exit codes:
  0    success
  1    failure
  2    invalid arguments
  3    nothing found
  4    no valid access token, or a wrong password
  5    partial data
  130  interrupted`;

export class NothingFoundError extends CropframeError {
  constructor(message: string) {
    super('not_found', message);
  }
}

/** The abort reason of a command that is stopped by Ctrl-C or a signal. */
export class Interruption extends Error {
  constructor(
    readonly by: string,
    message = 'interrupted',
  ) {
    super(message);
    this.name = 'Interruption';
  }
}

const CODE_OF_ERROR: Partial<Record<ErrorCode, number>> = {
  argument: EXIT.usage,
  unit: EXIT.usage,
  runtime: EXIT.authentication,
  authentication: EXIT.authentication,
  not_entitled: EXIT.authentication,
  forbidden: EXIT.authentication,
  not_found: EXIT.nothingFound,
  partial_data: EXIT.partialData,
  coverage: EXIT.partialData,
};

/** Returns the exit code for an error. A closed output pipe, such as after `| head`, is not a failure. */
function exitCodeOf(error: unknown): number {
  if (error instanceof Interruption) return EXIT.interrupted;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CropframeError && isSystemError(error.cause)) return EXIT.failure;
  if (error instanceof CropframeError) return CODE_OF_ERROR[error.code] ?? EXIT.failure;
  return isBrokenPipe(error) ? EXIT.ok : EXIT.failure;
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

/** The flags of a command, keyed by the parameters that they set. */
type Flags = ReadonlyMap<string, string>;

/** Returns an error's message with a remedy, or null if the error only means that the output pipe was closed. */
export function failureMessage(error: unknown, flags: Flags = new Map()): string | null {
  if (isBrokenPipe(error)) return null;
  if (error instanceof Interruption) return error.message;
  if (error instanceof AuthenticationError && error.endpoint !== 'accessToken')
    return `${formatServiceError(error)}; pass a valid --token, or set API_TOKEN`;
  if (error instanceof NetworkError)
    return `${error.message}; check --host, start a service with "cropframe serve", or read a store with --store FILE`;
  if (error instanceof PartialDataError) return partialMessage(error);
  if (error instanceof HttpError) return formatServiceError(error);
  if (error instanceof CropframeError) return error.describe((argument) => flagOf(argument, flags));
  return `unexpected: ${error instanceof Error ? error.message : error} (set CROPFRAME_DEBUG=1 for a stack trace)`;
}

/** Formats a service's error without the operation's name, which command-line users do not know. */
function formatServiceError({ message, reason, status }: HttpError): string {
  return reason === message ? message : `the service responded with status ${status}: ${reason}`;
}

/** Flag names that differ from the names of the client's parameters, keyed by parameter. */
const FLAG_WORDS: Readonly<Record<string, string>> = {
  api_host: 'host',
  access_token: 'token',
  unit_id: 'unit',
};

const SETTING = 'settings.';

/** Returns the flag for an argument: `--start` for `start_date`, `--cors` for `cors[0]`, `--set x` for `settings.x`. */
function flagOf(argument: string, flags: Flags): string {
  if (argument.startsWith(SETTING) && flags.has('set')) return `--set ${argument.slice(SETTING.length)}`;
  const [name = ''] = argument.split('[');
  return flags.get(name) ?? flags.get(FLAG_WORDS[name] ?? '') ?? argument;
}

/** Reports the error that ended a command, unless the parser has already reported it. @returns the exit code */
export async function reportFailure(error: unknown, io: CommandIo, flags: Flags): Promise<number> {
  const message = error instanceof CommanderError ? null : failureMessage(error, flags);
  // If the message or the stack trace cannot be written either, only the exit code remains.
  if (message !== null) await writeFailure(error, io, message).catch(() => {});
  return exitCodeOf(error);
}

async function writeFailure(error: unknown, io: CommandIo, message: string): Promise<void> {
  clearProgress(io);
  await writeLine(io.stderr, error instanceof Interruption ? message : `error: ${message}`);
  if (io.env.CROPFRAME_DEBUG !== '1') return;
  const { failureText } = await import('../../service/log/access-log.js');
  const cause = error instanceof PartialDataError ? (error.firstCause ?? error) : error;
  await writeLine(io.stderr, failureText(cause));
}

function partialMessage({ failed, report }: PartialDataError): string {
  const reasons = failed.map(
    ({ series, reason }) => `${seriesKeyText(series)}: ${reason ?? 'no reason given'}`,
  );
  const heading = `${failed.length} of ${report.length} series failed:`;
  return [heading, ...firstLines(reasons).map((line) => `  ${line}`)].join('\n');
}
