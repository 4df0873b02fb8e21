import {
  ArgumentError,
  CropframeError,
  type ErrorCode,
  IngestError,
  StoreError,
} from '../../model/errors.js';
import type { SentError } from './messages.js';

/** The error as it is sent to another thread. */
export function sentError(error: unknown): SentError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof CropframeError ? error.code : null;
  const fields =
    error instanceof IngestError
      ? { dataset: error.dataset, file: error.file, row: error.row }
      : error instanceof ArgumentError
        ? { argument: error.argument }
        : {};
  return { code, message, stack, fields };
}

/** The error that was sent, of its class again. */
export function receivedError({ code, message, stack, fields }: SentError): Error {
  const error = rebuilt(code, message, fields);
  error.stack = stack ?? error.stack ?? message;
  return error;
}

function rebuilt(code: string | null, message: string, fields: SentError['fields']): Error {
  const { dataset = '', file, row, argument = '' } = fields;
  if (code === 'ingest')
    return new IngestError(dataset, message, { file: file ?? undefined, row: row ?? undefined });
  if (code === 'argument') return new ArgumentError(argument, message);
  if (code === 'store') return new StoreError(message);
  return code === null ? new Error(message) : new CropframeError(code as ErrorCode, message);
}
