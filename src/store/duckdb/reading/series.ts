import type { SelectionLists } from '../../../model/selection.js';
import { SERIES_KEY_FIELDS } from '../../../model/series.js';
import type { EntityCombination, SeriesPlan, StoredSeries } from '../../plan.js';
import { SERIES_IDS, SERIES_NUMBERS, storedSeries } from '../../rows/stored-series.js';
import type { ReadOptions } from '../../store.js';
import type { Database } from '../engine/database.js';
import { type Condition, idCondition, type Parameter } from '../engine/sql-values.js';
import { rawVector } from '../engine/vectors.js';

/** A batch ends before the chunk that would exceed this. */
const MAX_BATCH_SERIES = 4_096;
const CHUNK_ROWS = 2_048;

const NUMBER_COLUMNS = SERIES_NUMBERS.map((column) => {
  const number = column.endsWith('_date') ? `epoch_ms(${column})` : column;
  return `coalesce(${number}::DOUBLE, 'nan')`;
});

/** A selection as a condition on the table `series`. */
export function seriesCondition({ selection, includeHistorical }: SeriesPlan): Condition {
  const conditions = ['true'];
  const parameters: Parameter[] = [];
  for (const field of SERIES_KEY_FIELDS) {
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
  const sql = `SELECT ${[...SERIES_IDS, ...NUMBER_COLUMNS].join(', ')} FROM series WHERE ${where} ORDER BY handle`;
  const snapshot = database.snapshot;
  let batch: StoredSeries[] = [];
  for await (const chunk of database.chunks(sql, { parameters, signal })) {
    const ids = SERIES_IDS.map((_, column) => rawVector<Int32Array>(chunk, column).items);
    const numbers = NUMBER_COLUMNS.map(
      (_, column) => rawVector<Float64Array>(chunk, SERIES_IDS.length + column).items,
    );
    const of = snapshot === database.snapshot ? snapshot : null;
    for (let row = 0; row < chunk.rowCount; row++) batch.push(storedSeries(ids, numbers, { row, of }));
    if (batch.length + CHUNK_ROWS <= MAX_BATCH_SERIES) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
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
