import { SELECTION_FIELDS, type SelectionLists } from '../../../model/selection.js';
import type { CommonPoints, EntityCombination, SeriesPlan, StoredSeries } from '../../plan.js';
import type { ReadOptions } from '../../store.js';
import type { Database } from '../engine/database.js';
import { type Condition, idCondition, type Parameter } from '../engine/sql-values.js';
import { rawVector } from '../engine/vectors.js';

/** A batch ends before the chunk that would exceed this. */
const MAX_BATCH_SERIES = 4_096;
const CHUNK_ROWS = 2_048;

const SERIES_COLUMNS = [...SELECTION_FIELDS, 'handle', 'unit_id', 'point_count'] as const;
const NUMBER_COLUMNS = [
  'epoch_ms(start_date)',
  'epoch_ms(end_date)',
  'period_days',
  'epoch_ms(available_date)',
  ...['has_times', 'has_one_unit', 'has_reporting_dates', 'has_metadata'],
].map((column) => `coalesce(${column}::DOUBLE, 'nan')`);

/** A selection as a condition on the table `series`. */
export function seriesCondition({ selection, includeHistorical }: SeriesPlan): Condition {
  const conditions = ['true'];
  const parameters: Parameter[] = [];
  for (const field of SELECTION_FIELDS) {
    const ids = selection[field];
    if (ids === undefined) continue;
    const condition = idCondition(field, ids);
    conditions.push(condition.where);
    parameters.push(...condition.parameters);
  }
  if (!includeHistorical) {
    for (const field of ['region_id', 'partner_region_id']) {
      conditions.push(`${field} NOT IN (SELECT id FROM region WHERE historical)`);
    }
  }
  return { where: conditions.join(' AND '), parameters };
}

/** Reads the series of a plan by ascending handle, in batches of at most 4,096. */
export async function* readSeries(
  database: Database,
  plan: SeriesPlan,
  { signal }: ReadOptions = {},
): AsyncGenerator<StoredSeries[], void, void> {
  const { where, parameters } = seriesCondition(plan);
  const sql = `SELECT ${[...SERIES_COLUMNS, ...NUMBER_COLUMNS].join(', ')} FROM series WHERE ${where} ORDER BY handle`;
  const snapshot = database.snapshot;
  let batch: StoredSeries[] = [];
  for await (const chunk of database.chunks(sql, { parameters, signal })) {
    const ids = SERIES_COLUMNS.map((_, column) => rawVector<Int32Array>(chunk, column).items);
    const numbers = NUMBER_COLUMNS.map(
      (_, column) => rawVector<Float64Array>(chunk, SERIES_COLUMNS.length + column).items,
    );
    const of = snapshot === database.snapshot ? snapshot : null;
    for (let row = 0; row < chunk.rowCount; row++) batch.push(storedSeries(ids, numbers, { row, of }));
    if (batch.length + CHUNK_ROWS <= MAX_BATCH_SERIES) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function storedSeries(
  ids: readonly Int32Array[],
  numbers: readonly Float64Array[],
  { row, of }: { row: number; of: object | null },
): StoredSeries {
  const [metric, item, region, partner, source, frequency, handle, unit, count] = ids;
  return {
    handle: handle![row]!,
    metric_id: metric![row]!,
    item_id: item![row]!,
    region_id: region![row]!,
    partner_region_id: partner![row]!,
    source_id: source![row]!,
    frequency_id: frequency![row]!,
    unit_id: unit![row]!,
    startMs: numbers[0]![row]!,
    endMs: numbers[1]![row]!,
    pointCount: count![row]!,
    common: of === null ? undefined : commonPoints(numbers, row, of),
  };
}

function commonPoints(numbers: readonly Float64Array[], row: number, snapshot: object): CommonPoints {
  const [, , days, available, times, oneUnit, reporting, metadata] = numbers;
  return {
    snapshot,
    hasTimes: times![row] !== 0,
    periodDays: numberOrNull(days![row]!),
    hasOneUnit: oneUnit![row] === 1,
    hasReportingDates: reporting![row] !== 0,
    hasMetadata: metadata![row] !== 0,
    availableMs: numberOrNull(available![row]!),
  };
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** Distinct combinations that have data, by ascending metric, item, region and source. */
export async function readCombinations(
  database: Database,
  plan: SeriesPlan,
  options?: ReadOptions,
): Promise<EntityCombination[]> {
  const { where, parameters } = seriesCondition(plan);
  const fields = 'metric_id, item_id, region_id, source_id';
  const rows = await database.rows(
    `SELECT DISTINCT ${fields} FROM series WHERE ${where} ORDER BY ${fields}`,
    parameters,
    options,
  );
  return rows as unknown as EntityCombination[];
}

/** The condition that a unit is convertible, as `isConvertible` of `compute/units.ts` defines it. */
const CONVERTIBLE = 'isfinite(coalesce(factor, 0)) AND coalesce(factor, 0) <> 0';

/** The units of these series' latest points, and the convertible units of the same dimensions. */
export async function readAllowedUnits(
  database: Database,
  selection: SelectionLists,
  options?: ReadOptions,
): Promise<number[]> {
  const { where, parameters } = seriesCondition({ selection, includeHistorical: true });
  const rows = await database.rows(
    `WITH used AS (
       SELECT DISTINCT series_unit.unit_id AS id FROM series_unit JOIN series ON series.handle = series_unit.series
       WHERE ${where}
     ), dimensions AS (
       SELECT DISTINCT dimension FROM unit JOIN used USING (id)
       WHERE dimension IS NOT NULL AND ${CONVERTIBLE}
     )
     SELECT id FROM unit
     WHERE id IN (FROM used) OR (${CONVERTIBLE} AND dimension IN (FROM dimensions))
     ORDER BY id`,
    parameters,
    options,
  );
  return rows.map((row) => row.id as number);
}
