import type { PointFlags } from '../model/schema/fields.js';

/** The port on which a service listens by default, and to which a client connects. */
export const DEFAULT_PORT = 8470;

/** Media type of points as an Arrow IPC stream with one row per point. */
export const ARROW_STREAM = 'application/vnd.apache.arrow.stream';
/** Metadata key of the Arrow schema: the list of series, in which the `series` of a row is a position. */
export const ARROW_SERIES = 'cropframe.series';
/** Media type of points between our service and our client: runs in memory layout. */
export const RUNS = 'application/vnd.cropframe.runs';
/** Media type of JSON values, one per line. */
export const NDJSON = 'application/x-ndjson';

export const BYTES = 'application/octet-stream';

export const METRICS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export const SVG = 'image/svg+xml';

/** Header with the id of a request. An id that the client sends is kept, and every response has one. */
export const REQUEST_ID = 'x-request-id';

/** The query parameter of each flag of a request for points. */
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

/** From this zoom level on, a service returns shapes in full detail. At lower levels, shapes are simplified. */
export const MIN_FULL_DETAIL_ZOOM = 6;

/** The version of this program, the same as in `package.json`. */
export const VERSION = '0.1.0';
