import {
  type DataType,
  DateDay,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  Schema,
  TimestampMillisecond,
  Uint32,
  Utf8,
} from 'apache-arrow';
import { SERIES_KEY } from '../stream/point-stream.js';
import { ANSWER_KEY, type ElementType, type SeriesStreamHead, seriesStreamColumns } from './layout.js';

const ARROW_TYPES: Readonly<Record<ElementType, () => DataType>> = {
  uint32: () => new Uint32(),
  int32: () => new Int32(),
  int64: () => new Int64(),
  float64: () => new Float64(),
  date32: () => new DateDay(),
  timestamp: () => new TimestampMillisecond('UTC'),
  utf8: () => new Utf8(),
};

/** The layout as Arrow's schema. */
export function seriesStreamSchema(head: SeriesStreamHead): Schema {
  const fields = seriesStreamColumns(head).map(({ name, type, list, nullable, nullableElements }) => {
    const element = ARROW_TYPES[type]();
    return new Field<DataType>(
      name,
      list ? new List(new Field('item', element, nullableElements)) : element,
      nullable,
    );
  });
  const metadata = [
    [ANSWER_KEY, head.answer],
    [SERIES_KEY, JSON.stringify(head.series)],
  ] as const;
  return new Schema(fields, new Map(metadata));
}
