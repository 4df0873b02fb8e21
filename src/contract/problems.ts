import {
  AuthenticationError,
  ContractError,
  CropframeError,
  type ErrorCode,
  HttpError,
  NotFoundError,
  RateLimitError,
} from '../model/errors.js';

/** The one table between error codes and HTTP statuses, read in both directions; the first code of a status names it. */
const STATUS_OF_CODE = [
  ['argument', 400],
  ['unit', 400],
  ['authentication', 401],
  ['not_entitled', 402],
  ['not_found', 404],
  ['method', 405],
  ['timeout', 408],
  ['too_large', 413],
  ['rate_limit', 429],
  ['store', 503],
] as const satisfies readonly (readonly [ErrorCode, number])[];

/** The body of every error answer. */
export interface ProblemBody {
  error: string;
  message: string;
}

/** Statuses after which asking again cannot help. */
export const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 402, 404, 405, 406, 413, 414]);

/** The status with which the service answers an error; 500 for what it did not foresee. */
export function statusOfError(error: unknown): number {
  if (error instanceof HttpError) return error.status;
  if (!(error instanceof CropframeError)) return 500;
  return STATUS_OF_CODE.find(([code]) => code === error.code)?.[1] ?? 500;
}

/** What is said to a client about an error: nothing of the inside when it was not foreseen. */
export function problemBody(error: unknown): ProblemBody {
  if (!(error instanceof CropframeError) || statusOfError(error) === 500) {
    return { error: 'internal', message: 'the service failed to answer; its log has the reason' };
  }
  return { error: error.code, message: error.message };
}

/** The error that a status means to a client. */
export function errorOfStatus(
  status: number,
  endpoint: string,
  answer: { message: string; retryAfterMs: number | null },
): HttpError {
  const message = `${endpoint} answered ${status}: ${answer.message}`;
  const code = STATUS_OF_CODE.find(([, known]) => known === status)?.[0];
  if (code === 'authentication') return new AuthenticationError(status, endpoint, message);
  if (code === 'not_found') return new NotFoundError(status, endpoint, message);
  if (code === 'rate_limit') return new RateLimitError(status, endpoint, message, answer.retryAfterMs);
  return new HttpError(status, endpoint, message, code ?? 'http');
}

/** Reads the body of an error answer; a body that is not a problem is quoted, shortened. */
export function problemMessage(endpoint: string, text: string): string {
  try {
    const body = JSON.parse(text) as Partial<ProblemBody> | null;
    if (body !== null && typeof body === 'object' && typeof body.message === 'string') return body.message;
    if (body !== null && typeof body === 'object' && typeof body.error === 'string') return body.error;
  } catch (error) {
    if (!(error instanceof SyntaxError))
      throw new ContractError(endpoint, 'unreadable error body', { cause: error });
  }
  return text.slice(0, 200).trim() || 'no explanation given';
}
