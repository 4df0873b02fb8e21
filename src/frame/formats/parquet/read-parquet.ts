import { DataType, Field, Schema, type Table, Timestamp, tableFromIPC } from 'apache-arrow';
import { parquetMetadata } from 'hyparquet/src/metadata.js';
import * as v from 'valibot';
import { badArgument } from '../../../model/errors.js';
import { maxUnpackedBytes, VALUE_BYTES } from '../../../model/growth.js';
import { check, checkOptions } from '../../../model/schema/check.js';
import { type Frame, frameOf } from '../../frame.js';
import { refuseUnsupported } from '../../table/check-table.js';
import { createRecordBatch, createTable } from '../../table/frame-table.js';
import { readIpc } from '../ipc/read-ipc.js';
import {
  ALL_MEMORY,
  COPIES,
  dropInstance,
  KEPT_BYTES,
  loadReader,
  memoryOf,
  ROW_GROUP_ROWS,
  refuseTrap,
  TRUSTED,
} from './parquet-module.js';

/**
 * Reads a Parquet file written by cropframe or other software.
 * @param options.columns the names of the columns to keep (default: all); the columns stay in the file's order
 * @throws ArgumentError if the bytes are not a Parquet file or are corrupt, if one of `columns` is missing, or if a
 * kept column contains intervals
 */
export async function fromParquet(
  bytes: Uint8Array,
  options: {
    /** The names of the columns to keep (default: all). The columns stay in the file's order. */
    columns?: readonly string[] | undefined;
  } = {},
): Promise<Frame> {
  check(v.instance(Uint8Array), bytes, 'bytes');
  checkOptions(options, { columns: v.array(v.string()) }, 'fromParquet');
  const footer = readFooter(bytes);
  refuseGrowth(footer, bytes);
  const written = writtenSchema(footer);
  refuseOddIntegers(written);
  const table = withWrittenZones(await readWhole(bytes), written);
  const { schema, batches } = options.columns === undefined ? table : keepColumns(table, options.columns);
  refuseUnsupported(schema, 'bytes');
  return frameOf({ schema, batches });
}

type Footer = ReturnType<typeof parquetMetadata>;

function readFooter(bytes: Uint8Array): Footer {
  try {
    return parquetMetadata(bytes, { geoparquet: false });
  } catch (cause) {
    throw badArgument('bytes', 'cannot be read as Parquet: its footer is incomplete; pass the whole file', {
      cause,
    });
  }
}

/** Reads every column, because the decoder crashes on corrupt pages if told to skip columns. */
async function readWhole(bytes: Uint8Array): Promise<Table> {
  const mayUse = Math.min(ALL_MEMORY, COPIES * maxUnpackedBytes(bytes.byteLength));
  const parquet = await loadReader(mayUse);
  try {
    const table = tableFromIPC(parquet.readParquet(bytes, { batchSize: ROW_GROUP_ROWS }).intoIPCStream());
    if (memoryOf(parquet) > ALL_MEMORY - mayUse + KEPT_BYTES) dropInstance();
    return table;
  } catch (cause) {
    refuseTrap(parquet, cause, { argument: 'bytes', mayUse, size: bytes.byteLength });
    throw badArgument('bytes', `cannot be read as Parquet: ${String(cause)}`, { cause });
  }
}

function writtenSchema(footer: Footer): Schema | undefined {
  try {
    const text = footer.key_value_metadata?.find(({ key }) => key === 'ARROW:schema')?.value ?? '';
    return readIpc(Uint8Array.from(atob(text), (char) => char.charCodeAt(0))).schema;
  } catch {
    return undefined;
  }
}

// Integer types that Arrow lacks, such as the 128-bit integers of Polars, crash the decoder.
function refuseOddIntegers(written: Schema | undefined): void {
  const isOdd = ({ type }: Field): boolean =>
    (DataType.isInt(type) && ![8, 16, 32, 64].includes(type.bitWidth)) || (type.children ?? []).some(isOdd);
  const column = written?.fields.find(isOdd);
  if (column === undefined) return;
  const problem = `column "${column.name}" is ${column.type}, which Arrow does not support`;
  throw badArgument('bytes', `${problem}; write it as 64-bit integers, decimals or strings`);
}

// Restores the time zones of timestamps that were written in seconds, which the decoder reads as UTC.
function withWrittenZones(table: Table, written: Schema | undefined): Table {
  const fields = table.schema.fields.map((field, at) => {
    const { name, type, nullable, metadata } = field;
    const own = written?.fields[at];
    if (own?.name !== name || !DataType.isTimestamp(own.type) || !DataType.isTimestamp(type)) return field;
    const { timezone } = own.type;
    if (!timezone || timezone === type.timezone) return field;
    return new Field(name, new Timestamp(type.unit, timezone), nullable, metadata);
  });
  if (fields.every((field, at) => field === table.schema.fields[at])) return table;
  const schema = new Schema(fields, table.schema.metadata);
  const batches = table.batches.map(({ data, numRows }) =>
    createRecordBatch(
      schema,
      data.children.map((child, at) => child.clone(fields[at]!.type)),
      numRows,
    ),
  );
  return createTable(schema, batches);
}

function refuseGrowth({ row_groups }: Footer, { byteLength }: Uint8Array): void {
  const values = row_groups.reduce(
    (sum, { num_rows, columns }) => sum + Number(num_rows) * columns.length,
    0,
  );
  if (values * VALUE_BYTES <= maxUnpackedBytes(byteLength)) return;
  const problem = `these ${byteLength} bytes of Parquet claim to contain ${values} values, which is too many`;
  throw badArgument('bytes', problem + TRUSTED);
}

function keepColumns(table: Table, columns: readonly string[]): Table {
  const names = table.schema.fields.map(({ name }) => name);
  const missing = columns.find((column) => !names.includes(column));
  if (missing !== undefined)
    throw badArgument('columns', `the file has no column "${missing}"; it has ${names.join(', ')}`);
  return table.select(names.filter((name) => columns.includes(name)));
}
