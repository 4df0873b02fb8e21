import type { PointFlags } from '../model/schema/fields.js';

/** The default port on which a service listens and to which a client connects. */
export const DEFAULT_PORT = 8470;

/** The media type for points as an Arrow IPC stream with one row per point. */
export const ARROW_STREAM = 'application/vnd.apache.arrow.stream';
/** The Arrow schema's metadata key for the list of series. A row's `series` is an index into this list. */
export const ARROW_SERIES = 'cropframe.series';
/** The media type for points in the private format of this project's service and client. See `points/run-frames.ts`. */
export const RUNS = 'application/vnd.cropframe.runs';
export const NDJSON = 'application/x-ndjson';

export const BYTES = 'application/octet-stream';

export const METRICS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export const SVG = 'image/svg+xml';

/** The header for a request's id. If the client sends none, the service creates one. Every response has the header. */
export const REQUEST_ID = 'x-request-id';

/**
 * The header with the version of the store that a response was read from. It is missing if the store changed while the
 * response was prepared.
 */
export const STORE_VERSION = 'x-store-version';

export const FLAG_KEYS = {
  start_date: 'startDate',
  end_date: 'endDate',
  reporting_history: 'showReportingDate',
  show_revisions: 'showRevisions',
  complete_history: 'showHistory',
  show_available_date: 'showAvailableDate',
  show_metadata: 'showMetaData',
  insert_null: 'insertNull',
  at_time: 'atTime',
  available_since: 'availableSince',
  include_historical: 'includeHistorical',
} as const satisfies Record<keyof PointFlags, string>;

/** The lowest zoom level at which a service returns shapes in full detail. At lower levels, shapes are simplified. */
export const MIN_FULL_DETAIL_ZOOM = 6;

/** The version of this program, which must match the one in `package.json`. */
export const VERSION = '0.1.0';
