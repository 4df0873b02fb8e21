import { CommanderError } from 'commander';
import { AuthenticationError, CropframeError, NetworkError } from '../../model/errors.js';
import { PartialDataError } from '../../model/report.js';
import { seriesKeyText } from '../../model/series.js';
import { Interruption, isBrokenPipe } from './exit-codes.js';
import { type CommandIo, firstLines, writeLine } from './io.js';

/** The message for an error, with its remedy; null for an error that needs none. */
export function failureMessage(error: unknown): string | null {
  if (isBrokenPipe(error)) return null;
  if (error instanceof Interruption) return error.message;
  if (error instanceof AuthenticationError && error.endpoint !== 'accessToken') {
    return `${plain(error)}; give a valid --token, or set API_TOKEN`;
  }
  if (error instanceof NetworkError) {
    return `${plain(error)}; check --host, start a service with "cropframe serve", or read a store with --store FILE`;
  }
  if (error instanceof PartialDataError) return partialMessage(error);
  if (error instanceof CropframeError) return plain(error);
  return `unexpected: ${plain(error)} (set CROPFRAME_DEBUG=1 for a stack trace)`;
}

/** Reports the error that ended a command; the parser has already reported its own. */
export async function reportFailure(error: unknown, io: CommandIo): Promise<void> {
  const message = error instanceof CommanderError ? null : failureMessage(error);
  if (message === null) return;
  await writeLine(io.stderr, error instanceof Interruption ? message : `error: ${message}`);
  if (io.env.CROPFRAME_DEBUG === '1') await writeLine(io.stderr, stackOf(error));
}

function partialMessage({ failed, report }: PartialDataError): string {
  const lines = firstLines(
    failed.map(({ series, reason }) => `${seriesKeyText(series)}: ${reason ?? 'no reason given'}`),
  );
  return [`${failed.length} of ${report.length} series failed:`, ...lines.map((line) => `  ${line}`)].join(
    '\n',
  );
}

function plain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  const cause = error instanceof PartialDataError ? error.firstCause : error.cause;
  return cause === undefined ? own : `${own}\ncaused by ${stackOf(cause)}`;
}
