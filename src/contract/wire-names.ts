// Names on the wire that need no schemas: importing them does not load the schema library.

/** The port on which a service listens, and to which a client connects, by default. */
export const DEFAULT_PORT = 8470;

/** Media type of points as an Arrow IPC stream. */
export const ARROW_STREAM = 'application/vnd.apache.arrow.stream';
/** The same with a CRC-32 for each batch, which is faster to compute. Services before it ignore the parameter. */
export const ARROW_STREAM_CRC32 = `${ARROW_STREAM};checksum=crc32`;
/** One row a run of points of one series, which takes a fraction of the room. Services before it ignore the parameter. */
export const ARROW_STREAM_BY_SERIES = `${ARROW_STREAM};layout=series`;
/** Media type of JSON values, one a line. */
export const NDJSON = 'application/x-ndjson';

/** Media type of bytes as they are. */
export const BYTES = 'application/octet-stream';

/** Metrics in Prometheus' text form. */
export const METRICS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** Header of a JSON answer with points: `blocks` means that every series block has its checksum. */
export const BLOCK_CHECKSUMS = 'cropframe-checksums';

/** Header with the id of a request: a given one is kept, and every answer has one. */
export const REQUEST_ID = 'x-request-id';

/** The query key of each field of a selection. */
export const QUERY_KEYS = {
  metric_id: 'metricId',
  item_id: 'itemId',
  region_id: 'regionId',
  partner_region_id: 'partnerRegionId',
  source_id: 'sourceId',
  frequency_id: 'frequencyId',
} as const;

/** The parameters of a media type, or of a media range of an `accept` header, in lower case. */
export function mediaParameters(type: string): ReadonlyMap<string, string> {
  const [, ...parameters] = type.toLowerCase().split(';');
  return new Map(
    parameters.map((parameter) => {
      const [name = '', value = ''] = parameter.split('=');
      return [name.trim(), value.trim().replace(/^"(.*)"$/, '$1')];
    }),
  );
}

/** From this zoom level on a service gives shapes in full detail; below, they are simplified. */
export const MIN_FULL_DETAIL_ZOOM = 6;
