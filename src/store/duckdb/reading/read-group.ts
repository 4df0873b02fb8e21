import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { PackedPoints } from '../../../columns/packed-points.js';
import {
  allColumns,
  areKnown,
  columnNames,
  type VaryingColumns,
  varyingColumns,
} from '../../packing/known-series.js';
import { type Packing, packRuns } from '../../packing/pack-runs.js';
import { type EngineRows, PointBatch } from '../../packing/point-batch.js';
import type { PointGroup } from '../../packing/point-groups.js';
import type { PointPlan, StoredSeries } from '../../plan.js';
import type { Database } from '../engine/database.js';
import { type Items, rawVector, validityBytes } from '../engine/vectors.js';
import { tablesOf } from '../tables/known-tables.js';
import { packedSql, sortedSql } from './point-sql.js';

/** Points that travel together, in order. */
export type Lists = readonly (readonly PackedPoints[])[];

/** A group of series of a plan. */
export interface GroupRead extends PointGroup {
  readonly plan: PointPlan;
}

/** A result of more points is streamed. */
export const MAX_WHOLE_POINTS = 16_384;

/** Of fewer points, chunks of a stream have a few rows each. */
const MIN_STREAM_SHARE = 1 / 8;

/**
 * The points of a group in order. The latest points of series of which enough is known are read as they are stored; vintages,
 * and what an import changes meanwhile, are sorted by the engine.
 */
export async function readGroup(
  database: Database,
  group: GroupRead,
  signal: AbortSignal | undefined,
): Promise<Lists> {
  const { plan, series, offset, expected, share } = group;
  const { snapshot } = database;
  if (areKnown(plan, series, snapshot)) {
    const columns = varyingColumns(plan, series);
    const sql = packedSql(plan, series, { columns, tables: await tablesOf(database, snapshot!) });
    const isWhole = expected <= MAX_WHOLE_POINTS || share < MIN_STREAM_SHARE || isScattered(series);
    const reading = { columns, expected, isWhole, signal };
    const lists = await readRows(database, sql, {
      ...reading,
      packing: { plan, series, offset, isSorted: false },
    });
    if (lists !== null && database.snapshot === snapshot) return lists;
  }
  const reading = { columns: allColumns(plan), expected, isWhole: expected <= MAX_WHOLE_POINTS, signal };
  const packing: Packing = { plan, series, offset, isSorted: true };
  return (await readRows(database, sortedSql(plan, series), { ...reading, packing })) ?? [];
}

/** Whether there are others between most of some series. */
function isScattered(series: readonly StoredSeries[]): boolean {
  return series.at(-1)!.handle - series[0]!.handle >= 2 * series.length;
}

interface Reading {
  readonly columns: VaryingColumns;
  readonly expected: number;
  readonly isWhole: boolean;
  readonly signal: AbortSignal | undefined;
  readonly packing: Packing;
}

async function readRows(
  database: Database,
  sql: string,
  { columns, expected, packing, ...options }: Reading,
): Promise<PackedPoints[][] | null> {
  const batch = new PointBatch(columns, expected);
  const rowsOf = engineRows(columns);
  try {
    await database.visitChunks(sql, (chunk) => batch.add(rowsOf(chunk)), options);
    return await packRuns(batch.rows(), packing);
  } finally {
    batch.release();
  }
}

/** Reads the chunks of the queries of points. */
function engineRows(columns: VaryingColumns): (chunk: DuckDBDataChunk) => EngineRows {
  const names = columnNames(columns);
  return (chunk) => {
    const items = <Column extends Items>(at: number) => rawVector<Column>(chunk, at).items;
    const nullable = (at: number) => {
      const vector = rawVector<Float64Array>(chunk, at);
      return { items: vector.items, valid: validityBytes(vector) };
    };
    const rows: Record<string, unknown> = {
      length: chunk.rowCount,
      series: items<Int32Array>(0),
      start: items<Float64Array>(1),
      value: nullable(2),
    };
    for (const [i, name] of names.entries()) {
      if (name === 'metadata') rows[name] = chunk.getColumnValues(3 + i);
      else rows[name] = name === 'reporting_date' ? nullable(3 + i) : items(3 + i);
    }
    return rows as unknown as EngineRows;
  };
}
