import type { MatchedArguments } from './entity.js';
import { CropframeError, HttpError, NetworkError, TimeoutError } from './errors.js';
import { type SeriesKey, seriesKeyOf } from './series.js';

/** The result of retrieving one series. */
export interface SeriesReport {
  /** The requested series. */
  series: SeriesKey;
  /** The number of rows that were received. */
  rows: number;
  /** `data` if rows were received, `empty` if the series has no rows, `failed` if it could not be retrieved. */
  outcome: 'data' | 'empty' | 'failed';
  /** Why the retrieval failed; null if it did not fail. */
  reason: string | null;
  /** Whether the service had more rows than it sent. */
  truncated: boolean;
  /** Whether the response came from a cache. */
  from_cache: boolean;
  /** The number of points omitted from a wide frame because another point of the series ends on the same date. */
  dropped_duplicates?: number | undefined;
  /** The number of periods in a rolled-up series that are null because too few of its regions have a value. */
  below_coverage?: number | undefined;
  /** The unit of values that were not converted, because no requested unit has the same dimension; otherwise absent. */
  unconverted_unit?: string | undefined;
  /** The entities used for requested names that have no exact match. */
  matched?: MatchedArguments | undefined;
}

/** One entry for each requested series. */
export type RetrievalReport = readonly SeriesReport[];

export function createArrivedReport(
  series: SeriesKey,
  rows: number,
  others: Partial<SeriesReport> = {},
): SeriesReport {
  const outcome = rows > 0 ? 'data' : 'empty';
  const entry = { series: seriesKeyOf(series), rows, outcome, reason: null } as const;
  return { ...entry, truncated: false, from_cache: false, ...others };
}

export function createFailedReport(
  series: SeriesKey,
  cause: unknown,
  others: Partial<SeriesReport> = {},
): SeriesReport {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return { ...createArrivedReport(series, 0), outcome: 'failed', reason, ...others };
}

const MAX_LISTED = 3;
const MAX_REASON = 200;

/**
 * Some of the requested series failed. The message lists the first few failures, and `failed` lists them all. The
 * properties are getters, so that an uncaught error for a thousand series prints only a few lines.
 */
export class PartialDataError extends CropframeError {
  readonly #report: RetrievalReport;
  #partial: () => unknown;
  readonly #firstCause: unknown;

  /** @param partial returns the point set; called when `partial` is first read */
  constructor(report: RetrievalReport, partial: () => unknown, firstCause?: unknown) {
    super('partial_data', describeFailures(report));
    this.#report = report;
    this.#partial = partial;
    this.#firstCause = firstCause;
    const requestId = firstCause instanceof CropframeError ? firstCause.requestId : null;
    if (requestId) Object.assign(this, { requestId });
  }

  /** The series that failed, and why. */
  get failed(): readonly SeriesReport[] {
    return keepFailed(this.#report);
  }

  /** One entry for each requested series. */
  get report(): RetrievalReport {
    return this.#report;
  }

  /** The points of every series that was retrieved successfully. */
  get partial(): unknown {
    const points = this.#partial();
    this.#partial = () => points;
    return points;
  }

  /** The error for the first failed series. It is not stored as `cause`, because it would then be printed too. */
  get firstCause(): unknown {
    return this.#firstCause;
  }
}

/**
 * Returns the error to throw if some series failed. If all series failed for the same reason, such as a rejected token
 * or an unreachable service, returns the first cause.
 */
export function partialFailure(
  report: RetrievalReport,
  { causes, partial }: { causes: readonly unknown[]; partial: () => unknown },
): unknown {
  const [first] = causes;
  const allFailed = report.every(({ outcome }) => outcome === 'failed');
  if (allFailed && causes.every((cause) => isSameFailure(cause, first))) return first;
  return new PartialDataError(report, partial, first);
}

function isSameFailure(cause: unknown, other: unknown): boolean {
  if (cause === other) return true;
  if (!(cause instanceof CropframeError && other instanceof CropframeError)) return false;
  if (cause.code !== other.code) return false;
  // The message names the operation, which differs between a batch and a single series, so messages are not compared.
  const isOfService =
    cause instanceof HttpError || cause instanceof NetworkError || cause instanceof TimeoutError;
  if (!isOfService) return cause.message === other.message;
  return !(cause instanceof HttpError) || cause.status === (other as HttpError).status;
}

function keepFailed(report: RetrievalReport): SeriesReport[] {
  return report.filter(({ outcome }) => outcome === 'failed');
}

function describeFailures(report: RetrievalReport): string {
  const failed = keepFailed(report);
  const listed = failed.slice(0, MAX_LISTED).map((entry) => `  ${describeFailure(entry)}`);
  const more = failed.length - listed.length;
  const rest = more > 0 ? [`  … and ${more} more; see the "failed" property of this error`] : [];
  return [`${failed.length} of ${report.length} series failed:`, ...listed, ...rest].join('\n');
}

function describeFailure({ series, reason }: SeriesReport): string {
  const key = `metric ${series.metric_id}, item ${series.item_id}, region ${series.region_id}, source ${series.source_id}`;
  return `${key}: ${(reason ?? 'no reason given').replace(/\s+/g, ' ').slice(0, MAX_REASON)}`;
}
