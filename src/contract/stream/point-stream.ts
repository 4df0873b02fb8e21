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
 * Points as an Arrow IPC stream: one row a point, `series` counting into the list that stands as JSON in the schema's
 * metadata under `cropframe.series`. Each batch carries the checksum of its columns, and that of the list with the number
 * of rows before it, so that it can be used before the stream is over, and a last batch without rows says how many rows went before: a stream without it was
 * cut short. Each message's metadata is sealed (`message-frames.ts`); other Arrow readers take all of this for what it is
 * to them, metadata and padding.
 */
export interface PointStreamHead {
  /** Every series of the request, also those without a point. */
  readonly series: readonly BlockSeries[];
  readonly withAvailableDate: boolean;
  readonly withMetadata: boolean;
}

export const SERIES_KEY = 'cropframe.series';
export const CHECKSUM_KEY = 'cropframe.checksum';
export const HEAD_KEY = 'cropframe.head';
export const ROWS_KEY = 'cropframe.rows';

export const utcTime = (): TimestampMillisecond => new TimestampMillisecond('UTC');

export function pointStreamSchema(head: PointStreamHead): Schema {
  const fields: Field<DataType>[] = [
    new Field('series', new Uint32(), false),
    new Field('start_date', utcTime(), false),
    new Field('end_date', utcTime(), false),
    new Field('value', new Float64(), true),
    new Field('unit_id', new Int32(), false),
    new Field('reporting_date', utcTime(), true),
  ];
  if (head.withAvailableDate) fields.push(new Field('available_date', utcTime(), true));
  if (head.withMetadata) fields.push(new Field('metadata', new Utf8(), true));
  return new Schema(fields, new Map([[SERIES_KEY, JSON.stringify(head.series)]]));
}
