import type { PointFlags } from '../model/schema/fields.js';

/** The port on which a service listens, and to which a client connects, by default. */
export const DEFAULT_PORT = 8470;

/** Media type of points as an Arrow IPC stream with one row a point. */
export const ARROW_STREAM = 'application/vnd.apache.arrow.stream';
/** Key of its schema's metadata: the list of series, in which `series` of a row is a position. */
export const ARROW_SERIES = 'cropframe.series';
/** Media type of points between our service and our client: runs as they are in memory. */
export const RUNS = 'application/vnd.cropframe.runs';
/** Media type of JSON values, one a line. */
export const NDJSON = 'application/x-ndjson';

/** Media type of bytes as they are. */
export const BYTES = 'application/octet-stream';

/** Metrics in Prometheus' text form. */
export const METRICS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** Media type of a drawn chart. */
export const SVG = 'image/svg+xml';

/** Header with the id of a request: a given one is kept, and every answer has one. */
export const REQUEST_ID = 'x-request-id';

/** The query key of each flag of a request for points. */
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

/** From this zoom level on a service gives shapes in full detail; below, they are simplified. */
export const MIN_FULL_DETAIL_ZOOM = 6;

/** The version of this program, as `package.json` has it. */
export const VERSION = '0.1.0';
