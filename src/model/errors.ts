/** The code of each kind of error. `contract/problems.ts` maps codes to HTTP statuses. */
export type ErrorCode =
  | 'argument'
  | 'runtime'
  | 'unit'
  | 'network'
  | 'timeout'
  | 'http'
  | 'authentication'
  | 'not_entitled'
  | 'forbidden'
  | 'not_found'
  | 'method'
  | 'too_large'
  | 'media_type'
  | 'misdirected'
  | 'rate_limit'
  | 'contract'
  | 'store'
  | 'ingest'
  | 'coverage'
  | 'partial_data';

/** The base class of all errors that cropframe itself throws. */
export class CropframeError extends Error {
  /** The code of this kind of error. */
  readonly code: ErrorCode;

  /** The failed request's id in the service's log; absent or null if unknown. */
  declare readonly requestId?: string | null | undefined;

  readonly #phrase: Phrase;

  constructor(code: ErrorCode, message: Phrase, options?: ErrorOptions) {
    super(writePhrase(message), options);
    this.code = code;
    this.#phrase = message;
    this.name = new.target.name;
  }

  /** Returns the message with its argument names replaced, for example by command-line flags. */
  describe(nameOf: NameArgument): string {
    return writePhrase(this.#phrase, nameOf);
  }
}

/** Returns the name by which the message's reader knows an argument, such as `--start` for `start_date`. */
export type NameArgument = (argument: string) => string;

/** Part of a message, or a function that builds this part from the argument names that the reader knows. */
export type Phrase = string | ((nameOf: NameArgument) => string);

function writePhrase(phrase: Phrase, nameOf: NameArgument = (argument) => argument): string {
  return typeof phrase === 'string' ? phrase : phrase(nameOf);
}

/** Further details of an argument error. */
export interface ArgumentFault extends ErrorOptions {
  /** How to fix the problem. */
  remedy?: Phrase | undefined;
  /** Whether the message begins with the argument's name. */
  isNamed?: boolean | undefined;
}

/** An argument is invalid. Thrown before any I/O. */
export class ArgumentError extends CropframeError {
  /** The argument's name, as the caller wrote it. */
  readonly argument: string;
  /** The problem with the argument. */
  readonly problem: string;
  /** How to fix the problem; null if `problem` makes that clear. */
  readonly remedy: string | null;

  constructor(argument: string, problem: Phrase, fault: ArgumentFault = {}) {
    const { remedy, isNamed = false, ...options } = fault;
    const write = (nameOf: NameArgument): string => {
      const parts = [problem, remedy ?? []].flat().map((part) => writePhrase(part, nameOf));
      return `${isNamed ? `${nameOf(argument)}: ` : ''}${parts.join('; ')}`;
    };
    super('argument', write, options);
    this.argument = argument;
    this.problem = writePhrase(problem);
    this.remedy = remedy === undefined ? null : writePhrase(remedy);
  }
}

/** Creates an `ArgumentError` whose message begins with the argument's name. */
export function badArgument(argument: string, problem: Phrase, fault: ArgumentFault = {}): ArgumentError {
  return new ArgumentError(argument, problem, { ...fault, isNamed: true });
}

/** No access token was passed, and `API_TOKEN` is not set. The specification defines the name of this class. */
export class RuntimeError extends CropframeError {
  constructor(message: string) {
    super('runtime', message);
  }
}

/** A unit cannot be converted: it is unknown, has no conversion factor, or has a different dimension. */
export class UnitError extends CropframeError {
  /** The id of the unit that cannot be converted; null if there is none. */
  readonly unit_id: number | null;
  /** Why the unit cannot be converted. The units themselves are named only in the message. */
  readonly reason: string;

  constructor(unit_id: number | null, message: string, reason = message) {
    super('unit', message);
    this.unit_id = unit_id;
    this.reason = reason;
  }
}

/** The service could not be reached, or the connection was lost before the response was complete. */
export class NetworkError extends CropframeError {
  constructor(message: string, options?: ErrorOptions) {
    super('network', message, options);
  }
}

/** No response arrived within the allowed time. */
export class TimeoutError extends CropframeError {
  /** The allowed time in milliseconds. */
  readonly timeoutMs: number;

  constructor(timeoutMs: number, message: string) {
    super('timeout', message);
    this.timeoutMs = timeoutMs;
  }
}

/** The service responded with an error status. */
export class HttpError extends CropframeError {
  /** The HTTP status. */
  readonly status: number;
  /** The service operation that was called. */
  readonly endpoint: string;
  /** The service's own explanation, without the operation and the status. */
  readonly reason: string;
  /** The request's id in the service's log; null if the service sent no id. */
  override readonly requestId: string | null = null;

  constructor(status: number, endpoint: string, message: string, code: ErrorCode = 'http') {
    super(code, message);
    this.status = status;
    this.endpoint = endpoint;
    this.reason = message;
  }
}

/** 401: the access token is missing, unknown, revoked or expired. */
export class AuthenticationError extends HttpError {
  constructor(status: number, endpoint: string, message: string) {
    super(status, endpoint, message, 'authentication');
  }
}

/** 404: the path does not exist, or the entity that the path names does not exist. */
export class NotFoundError extends HttpError {
  constructor(status: number, endpoint: string, message: string) {
    super(status, endpoint, message, 'not_found');
  }
}

/** 429: too many requests. */
export class RateLimitError extends HttpError {
  /** How long the service asked the client to wait, in milliseconds; null if the service did not specify a time. */
  readonly retryAfterMs: number | null;

  constructor(status: number, endpoint: string, message: string, retryAfterMs: number | null) {
    super(status, endpoint, message, 'rate_limit');
    this.retryAfterMs = retryAfterMs;
  }
}

/** A response does not conform to the API contract: it is damaged, truncated, or of the wrong content type or shape. */
export class ContractError extends CropframeError {
  /** The service operation that was called. */
  readonly endpoint: string;

  /** Whether the response was damaged in transit, so that a retry may succeed. */
  readonly damaged: boolean;

  /** The field that does not conform, if the response is complete but has the wrong shape; otherwise null. */
  readonly field: string | null;

  constructor(
    endpoint: string,
    message: string,
    options: ErrorOptions & {
      /** Whether the response was damaged in transit (default false). */
      damaged?: boolean;
      /** The field that does not conform to the contract (default null). */
      field?: string;
    } = {},
  ) {
    const { damaged = false, field = null, ...rest } = options;
    super('contract', message, rest);
    this.endpoint = endpoint;
    this.damaged = damaged;
    this.field = field;
  }
}

/** Creates a `ContractError` whose message begins with the operation's name. */
export function badAnswer(
  endpoint: string,
  problem: string,
  options?: ConstructorParameters<typeof ContractError>[2],
): ContractError {
  return new ContractError(endpoint, `${endpoint}: ${problem}`, options);
}

/** The store cannot be opened, read or written. */
export class StoreError extends CropframeError {
  constructor(message: string, options?: ErrorOptions) {
    super('store', message, options);
  }
}

/** The file and line at which an import failed. */
export interface IngestPlace extends ErrorOptions {
  /** The file that could not be imported. */
  file?: string | undefined;
  /** The line number in the file, counted from 1. */
  row?: number | undefined;
}

/** A file could not be imported. None of its rows were stored. */
export class IngestError extends CropframeError {
  /** The name of the data set. */
  readonly dataset: string;
  /** The file that could not be imported; null if unknown. */
  readonly file: string | null;
  /** The line number in the file, counted from 1; null if unknown. */
  readonly row: number | null;

  constructor(dataset: string, message: string, where: IngestPlace = {}) {
    super('ingest', message, where.cause === undefined ? undefined : { cause: where.cause });
    this.dataset = dataset;
    this.file = where.file ?? null;
    this.row = where.row ?? null;
  }
}

/** Too little of an interval has data: `coverage` is below `required`. */
export class CoverageError extends CropframeError {
  /** The share of the interval that has data, from 0 to 1. */
  readonly coverage: number;
  /** The minimum share of the interval that must have data, from 0 to 1. */
  readonly required: number;

  constructor(coverage: number, required: number, message: Phrase) {
    super('coverage', message);
    this.coverage = coverage;
    this.required = required;
  }
}

const MAX_SHOWN = 60;

/** Formats a value for an error message. Long strings are truncated, and formatting never throws. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string')
    return `"${value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value}"`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

/** Joins the first `most` strings of a list and appends the number of omitted strings, such as "and 3 more". */
export function shownList(texts: readonly string[], most: number, separator = ', '): string {
  const more = texts.length > most ? ` and ${texts.length - most} more` : '';
  return texts.slice(0, most).join(separator) + more;
}
