import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { PackedPoints } from '../../../columns/packed-points.js';
import {
  areKnown,
  columnNames,
  type KnownSeries,
  type VaryingColumns,
  varyingColumns,
} from '../../packing/known-series.js';
import { PackedBatch, type PackedRows } from '../../packing/packed-columns.js';
import { packRuns } from '../../packing/packed-runs.js';
import type { PointPlan, StoredSeries } from '../../plan.js';
import type { Database } from '../engine/database.js';
import { type Items, rawVector, validityBytes } from '../engine/vectors.js';
import { tablesOf } from '../tables/known-tables.js';
import { packedSql } from './packed-sql.js';

/** Series of which enough is known to read them as they are stored. */
export interface PackedRead {
  readonly plan: PointPlan;
  readonly series: readonly KnownSeries[];
  /** The position in the plan of the first of them. */
  readonly offset: number;
  /** How many points the plan selects of them, and which share of theirs that is, as far as can be told. */
  readonly expected: number;
  readonly share: number;
}

/** A result of more points is streamed. */
export const MAX_WHOLE_POINTS = 16_384;

/** Fewer points are sorted by the engine: unsorted, they arrive a few rows at a time, which takes longer. */
export const MIN_LAYOUT_SHARE = 1 / 8;

/** The points of some series in order. Null where too little is known of them, or an import changes them meanwhile. */
export async function readParts(
  database: Database,
  { plan, series, offset, expected, share }: PackedRead,
  signal: AbortSignal | undefined,
): Promise<PackedPoints[] | null> {
  const { snapshot } = database;
  if (!areKnown(plan, series, snapshot)) return null;
  const read = varyingColumns(plan, series);
  const sql = packedSql(plan, series, { columns: read, tables: await tablesOf(database, snapshot!) });
  const rowsOf = packedRows(read);
  const batch = new PackedBatch(read, expected);
  // Where few of the rows are wanted, or of the series, chunks of a stream have a few rows each.
  const isSparse = share < MIN_LAYOUT_SHARE || isScattered(series);
  const isWhole = expected <= MAX_WHOLE_POINTS || isSparse;
  try {
    await database.visitChunks(sql, (chunk) => batch.add(rowsOf(chunk)), { signal, isWhole });
    if (database.snapshot !== snapshot) return null;
    return await packRuns(batch.columns(), { plan, series, offset });
  } finally {
    batch.release();
  }
}

/** Whether there are others between most of some series. */
function isScattered(series: readonly StoredSeries[]): boolean {
  return series.at(-1)!.handle - series[0]!.handle >= 2 * series.length;
}

const SERIES = 0;
const START = 1;
const VALUE = 2;
const VARYING = 3;

/** Reads the chunks of `packedSql`. */
function packedRows(read: VaryingColumns): (chunk: DuckDBDataChunk) => PackedRows {
  const names = columnNames(read);
  return (chunk) => {
    const itemsOf = <Column extends Items>(name: keyof VaryingColumns) =>
      read[name] ? rawVector<Column>(chunk, VARYING + names.indexOf(name)).items : undefined;
    const value = rawVector<Float64Array>(chunk, VALUE);
    return {
      length: chunk.rowCount,
      series: rawVector<Int32Array>(chunk, SERIES).items,
      start_day: rawVector<Int32Array>(chunk, START).items,
      value: value.items,
      value_valid: validityBytes(value),
      days: itemsOf<Int32Array>('days'),
      unit_id: itemsOf<Int32Array>('unit_id'),
      reporting_date: read.reporting_date
        ? nullableDates(chunk, VARYING + names.indexOf('reporting_date'))
        : undefined,
      available_date: itemsOf<BigInt64Array>('available_date'),
    };
  };
}

function nullableDates(chunk: DuckDBDataChunk, column: number) {
  const vector = rawVector<BigInt64Array>(chunk, column);
  return { dates: vector.items, valid: validityBytes(vector) };
}
