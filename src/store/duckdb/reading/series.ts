import { SELECTION_FIELDS, type SelectionLists } from '../../../model/selection.js';
import type { SeriesKey } from '../../../model/series.js';
import type { EntityCombination, SeriesPlan, StoredSeries } from '../../plan.js';
import type { Engine } from '../engine/engine.js';
import { type Bound, oneOf } from '../engine/literals.js';
import { rawVector } from '../engine/vectors.js';

const SERIES_BATCH = 10_000;

const SERIES_COLUMNS = [...SELECTION_FIELDS, 'handle', 'unit_id', 'point_count'] as const;

/** A selection as a condition on the columns of `series`, with its parameters. */
export function seriesCondition({ selection, includeHistorical }: SeriesPlan): {
  where: string;
  bound: Bound[];
} {
  const conditions = ['true'];
  const bound: Bound[] = [];
  for (const field of SELECTION_FIELDS) {
    const ids = selection[field];
    if (ids === undefined) continue;
    const condition = oneOf(field, ids);
    conditions.push(condition.where);
    bound.push(...condition.bound);
  }
  if (!includeHistorical) {
    for (const field of ['region_id', 'partner_region_id']) {
      conditions.push(`${field} NOT IN (SELECT id FROM region WHERE historical)`);
    }
  }
  return { where: conditions.join(' AND '), bound };
}

/** Series of a selection by ascending handle, at most 10,000 a batch. */
export async function* readSeries(
  engine: Engine,
  plan: SeriesPlan,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<StoredSeries[], void, void> {
  const { where, bound } = seriesCondition(plan);
  const sql = `SELECT ${SERIES_COLUMNS.join(', ')}, epoch_ms(start_date)::DOUBLE, epoch_ms(end_date)::DOUBLE
    FROM series WHERE ${where} ORDER BY handle`;
  let batch: StoredSeries[] = [];
  for await (const chunk of engine.chunks(sql, { bound, signal })) {
    const ids = SERIES_COLUMNS.map((_, column) => rawVector<Int32Array>(chunk, column).items);
    const start = rawVector<Float64Array>(chunk, SERIES_COLUMNS.length).items;
    const end = rawVector<Float64Array>(chunk, SERIES_COLUMNS.length + 1).items;
    for (let row = 0; row < chunk.rowCount; row++) {
      batch.push(storedSeries(ids, row, { startMs: start[row]!, endMs: end[row]! }));
    }
    if (batch.length + 2048 <= SERIES_BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function storedSeries(
  ids: readonly Int32Array[],
  row: number,
  span: { startMs: number; endMs: number },
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
    ...span,
    pointCount: count![row]!,
  };
}

/** Distinct combinations that have data, by ascending metric, item, region and source. */
export async function readCombinations(engine: Engine, plan: SeriesPlan): Promise<EntityCombination[]> {
  const { where, bound } = seriesCondition(plan);
  const fields = 'metric_id, item_id, region_id, source_id';
  const rows = await engine.rows(
    `SELECT DISTINCT ${fields} FROM series WHERE ${where} ORDER BY ${fields}`,
    bound,
  );
  return rows as Pick<SeriesKey, 'metric_id' | 'item_id' | 'region_id' | 'source_id'>[];
}

/** Whether a unit converts, as `isConvertible` of `compute/units.ts` says. */
const CONVERTIBLE = 'isfinite(coalesce(factor, 0)) AND coalesce(factor, 0) <> 0';

/** Units of the latest points of these series, and the convertible units of the same dimensions. */
export async function readAllowedUnits(engine: Engine, selection: SelectionLists): Promise<number[]> {
  const { where, bound } = seriesCondition({ selection, includeHistorical: true });
  const rows = await engine.rows(
    `WITH carried AS (
       SELECT DISTINCT series_unit.unit_id AS id FROM series_unit JOIN series ON series.handle = series_unit.series
       WHERE ${where}
     ), dimensions AS (
       SELECT DISTINCT dimension FROM unit JOIN carried USING (id)
       WHERE dimension IS NOT NULL AND ${CONVERTIBLE}
     )
     SELECT id FROM unit
     WHERE id IN (FROM carried) OR (${CONVERTIBLE} AND dimension IN (FROM dimensions))
     ORDER BY id`,
    bound,
  );
  return rows.map((row) => row.id as number);
}
