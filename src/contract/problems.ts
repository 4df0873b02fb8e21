import {
  AuthenticationError,
  CropframeError,
  type ErrorCode,
  HttpError,
  NotFoundError,
  RateLimitError,
} from '../model/errors.js';

/** The HTTP status for each error code. If a status has several codes, it maps back to the first one. */
const STATUS_OF_CODE = [
  ['argument', 400],
  ['unit', 400],
  ['authentication', 401],
  ['not_entitled', 402],
  ['forbidden', 403],
  ['not_found', 404],
  ['method', 405],
  ['timeout', 408],
  ['too_large', 413],
  ['media_type', 415],
  ['misdirected', 421],
  ['rate_limit', 429],
  ['store', 503],
] as const satisfies readonly (readonly [ErrorCode, number])[];

interface ProblemBody {
  error: string;
  message: string;
}

export function statusOfError(error: unknown): number {
  if (error instanceof HttpError) return error.status;
  if (!(error instanceof CropframeError)) return 500;
  return STATUS_OF_CODE.find(([code]) => code === error.code)?.[1] ?? 500;
}

/** Returns the response body for an error. The body reveals nothing about an unexpected error. */
export function problemBody(error: unknown): ProblemBody {
  if (!(error instanceof CropframeError) || statusOfError(error) === 500)
    return { error: 'internal', message: 'the service failed to respond; its log states the reason' };
  return { error: error.code, message: error.message };
}

interface ErrorAnswer {
  readonly text: string;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
}

/** Returns the error that a client throws for an HTTP status. For 5xx, the message includes the request's id. */
export function errorOfStatus(status: number, endpoint: string, answer: ErrorAnswer): HttpError {
  const { requestId, text } = answer;
  const logged = status >= 500 && requestId !== null ? ` (request ${requestId})` : '';
  const reason = `${problemMessage(text)}${logged}`;
  const message = `${endpoint} returned ${status}: ${reason}`;
  return Object.assign(errorOf(status, endpoint, { ...answer, message }), { requestId, reason });
}

function errorOf(
  status: number,
  endpoint: string,
  { message, retryAfterMs }: Pick<ErrorAnswer, 'retryAfterMs'> & { readonly message: string },
): HttpError {
  const code = STATUS_OF_CODE.find(([, known]) => known === status)?.[0];
  if (code === 'authentication') return new AuthenticationError(status, endpoint, message);
  if (code === 'not_found') return new NotFoundError(status, endpoint, message);
  if (code === 'rate_limit') return new RateLimitError(status, endpoint, message, retryAfterMs);
  return new HttpError(status, endpoint, message, code ?? 'http');
}

/** Reads the message from an error response. A body that is not a problem object is quoted, up to 200 characters. */
function problemMessage(text: string): string {
  try {
    const { message, error } = JSON.parse(text) as Partial<ProblemBody>;
    const said = [message, error].find((one) => typeof one === 'string');
    if (said !== undefined) return said;
  } catch {
    // The body is not a JSON object.
  }
  return text.slice(0, 200).trim() || 'no explanation given';
}
