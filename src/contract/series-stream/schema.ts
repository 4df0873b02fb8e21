import {
  type DataType,
  DateDay,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  RecordBatchStreamWriter,
  Schema,
  TimestampMillisecond,
  Uint32,
  Utf8,
} from 'apache-arrow';
import { SERIES_KEY } from '../stream/point-stream.js';
import { FlatTable, MESSAGE, SCHEMA } from './flatbuffer.js';
import { keyValueVector } from './key-values.js';
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

/** The metadata of a stream's first message. */
export function schemaMetadata(head: SeriesStreamHead): Uint8Array {
  const { columns, notesField } = columnsMetadata(head);
  const notes = keyValueVector([
    [ANSWER_KEY, head.answer],
    [SERIES_KEY, JSON.stringify(head.series)],
  ]);
  const metadata = new Uint8Array(columns.byteLength + notes.byteLength);
  metadata.set(columns);
  metadata.set(notes, columns.byteLength);
  new DataView(metadata.buffer).setUint32(notesField, columns.byteLength - notesField, true);
  return metadata;
}

interface ColumnsMetadata {
  readonly columns: Uint8Array;
  /** Position of the reference to the schema's own metadata. */
  readonly notesField: number;
}

/** The metadata of each choice of columns: Arrow's builder takes longer than all other work on a small answer. */
const known = new Map<string, ColumnsMetadata>();

function columnsMetadata(head: SeriesStreamHead): ColumnsMetadata {
  const key = `${head.withAvailableDate} ${head.withMetadata}`;
  const columns = known.get(key) ?? buildColumns(head);
  known.set(key, columns);
  return columns;
}

const PREFIX_BYTES = 8;

function buildColumns(head: SeriesStreamHead): ColumnsMetadata {
  const fields = seriesStreamColumns(head).map(({ name, type, list, nullable, nullableElements }) => {
    const element = ARROW_TYPES[type]();
    return new Field<DataType>(
      name,
      list ? new List(new Field('item', element, nullableElements)) : element,
      nullable,
    );
  });
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, new Schema(fields, new Map([['', '']])));
  writer.finish();
  const stream = writer.toUint8Array(true);
  const columns = stream.slice(PREFIX_BYTES, stream.byteLength - PREFIX_BYTES);
  const notesField = FlatTable.root(columns).table(MESSAGE.header).position(SCHEMA.metadata);
  return { columns, notesField };
}
