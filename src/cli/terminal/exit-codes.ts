import { CommanderError } from 'commander';
import { isSystemError } from '../../model/arguments/file-failure.js';
import { CropframeError, type ErrorCode } from '../../model/errors.js';

/** The exit codes. Scripts rely on the numbers. */
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

/** Nothing matches the request. */
export class NothingFoundError extends CropframeError {
  constructor(message: string) {
    super('not_found', message);
  }
}

/** The abort reason of a command that was stopped by Ctrl-C or a signal. */
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

/** The exit code for an error. A closed output pipe (`| head`) is not a failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Interruption) return EXIT.interrupted;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CropframeError && isSystemError(error.cause)) return EXIT.failure;
  if (error instanceof CropframeError) return CODE_OF_ERROR[error.code] ?? EXIT.failure;
  return isBrokenPipe(error) ? EXIT.ok : EXIT.failure;
}

/** Whether the reader of an output closed it. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
