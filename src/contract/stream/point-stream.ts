import {
  type DataType,
  Field,
  Float64,
  Int32,
  Schema,
  TimestampMillisecond,
  Uint32,
  Utf8,
} from 'apache-arrow';
import type { BlockSeries } from '../series-blocks.js';

/**
 * What precedes the points of a point stream: an Arrow IPC stream with one row a point. `series` is a position in the
 * list of series, which is JSON in the schema metadata under `cropframe.series`. The metadata of each batch has the
 * checksum of its columns, and the checksum of the list with the number of rows before the batch, so that a batch can be
 * used before the stream ends. The last batch has no rows and gives the total: a stream without it is truncated.
 * `message-frames.ts` adds a checksum to the metadata of each message. Other Arrow readers see ordinary metadata and
 * padding.
 */
export interface PointStreamHead {
  /** Every series of the request, including those without a point. */
  readonly series: readonly BlockSeries[];
  readonly withAvailableDate: boolean;
  readonly withMetadata: boolean;
  /** Whether batches have a CRC-32 in place of the older checksum, as a reader asks by the media type's parameter. */
  readonly withCrc32?: boolean | undefined;
}

export const SERIES_KEY = 'cropframe.series';
export const CHECKSUM_KEY = 'cropframe.checksum';
export const CRC32_KEY = 'cropframe.crc32';
export const HEAD_KEY = 'cropframe.head';
export const ROWS_KEY = 'cropframe.rows';

export const utcTime = (): TimestampMillisecond => new TimestampMillisecond('UTC');

export function pointStreamSchema(head: PointStreamHead): Schema {
  const fields: Field<DataType>[] = [
    new Field('series', new Uint32(), false),
    new Field('start_date', utcTime(), false),
    new Field('end_date', utcTime(), false),
    new Field('value', new Float64(), true),
    new Field('unit_id', new Int32(), true),
    new Field('reporting_date', utcTime(), true),
  ];
  if (head.withAvailableDate) fields.push(new Field('available_date', utcTime(), true));
  if (head.withMetadata) fields.push(new Field('metadata', new Utf8(), true));
  return new Schema(fields, new Map([[SERIES_KEY, JSON.stringify(head.series)]]));
}
