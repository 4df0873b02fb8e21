import type { SelectionLists } from '../../../model/selection.js';
import { SERIES_KEY_FIELDS } from '../../../model/series.js';
import type { EntityCombination, SeriesPlan, StoredSeries } from '../../plan.js';
import { SERIES_IDS, SERIES_NUMBERS, storedSeries } from '../../rows/stored-series.js';
import type { ReadOptions } from '../../store.js';
import { mapInTurns } from '../../turns.js';
import type { ReadServers } from '../engine/cluster.js';
import { type Condition, type Snapshot, visible } from '../engine/snapshot.js';
import { readArrow } from './arrow-columns.js';
import { allOf, idCondition } from './conditions.js';

const MAX_BATCH_SERIES = 4_096;

const NUMBER_COLUMNS = SERIES_NUMBERS.map((column) => `ifNull(CAST(${column}, 'Nullable(Float64)'), nan)`);

/** A selection as a condition on the table `series`. */
export function seriesCondition({ selection, includeHistorical }: SeriesPlan, snapshot: Snapshot): Condition {
  const conditions = [visible(snapshot), ...selectionConditions(selection)];
  if (includeHistorical) return allOf(...conditions);
  const historical = `SELECT id FROM region WHERE historical AND ${visible(snapshot).where}`;
  for (const field of ['region_id', 'partner_region_id'])
    conditions.push({ where: `${field} NOT IN (${historical})`, parameters: {} });
  return allOf(...conditions);
}

export function selectionConditions(selection: SelectionLists): Condition[] {
  return SERIES_KEY_FIELDS.flatMap((field) => {
    const ids = selection[field];
    return ids === undefined ? [] : [idCondition(field, ids)];
  });
}

const KINDS = [...SERIES_IDS.map(() => 'int32' as const), ...NUMBER_COLUMNS.map(() => 'float64' as const)];

/** Reads the series of a plan by ascending handle, in batches of at most 4,096. */
export async function* readSeries(
  cluster: ReadServers,
  plan: SeriesPlan,
  options: ReadOptions = {},
): AsyncGenerator<StoredSeries[], void, void> {
  const snapshot = await cluster.snapshot(options);
  const { where, parameters } = seriesCondition(plan, snapshot);
  const sql = `SELECT ${[...SERIES_IDS, ...NUMBER_COLUMNS].join(', ')} FROM series WHERE ${where} ORDER BY handle`;
  for await (const { length, columns } of readArrow(cluster.first.arrow(sql, parameters, options), KINDS)) {
    const ids = columns.slice(0, SERIES_IDS.length) as Int32Array[];
    const numbers = columns.slice(SERIES_IDS.length) as Float64Array[];
    for (let from = 0; from < length; from += MAX_BATCH_SERIES) {
      const rows = Array.from({ length: Math.min(MAX_BATCH_SERIES, length - from) }, (_, i) => from + i);
      yield await mapInTurns(rows, (row) => storedSeries(ids, numbers, { row, of: snapshot }));
    }
  }
}

/** Distinct combinations that have data, by ascending metric, item, region and source. */
export async function readCombinations(
  cluster: ReadServers,
  plan: SeriesPlan,
  options?: ReadOptions,
): Promise<EntityCombination[]> {
  const { where, parameters } = seriesCondition(plan, await cluster.snapshot(options));
  const fields = 'metric_id, item_id, region_id, source_id';
  const sql = `SELECT DISTINCT ${fields} FROM series WHERE ${where} ORDER BY ${fields}`;
  return (await cluster.first.rows(sql, parameters, options)) as unknown as EntityCombination[];
}

/** The condition that a unit is convertible, as `isConvertible` of `compute/units.ts` defines it. */
const CONVERTIBLE = 'isFinite(ifNull(factor, 0)) AND ifNull(factor, 0) <> 0';

/** The units of these series' latest points, and the convertible units of the same dimensions. */
export async function readAllowedUnits(
  cluster: ReadServers,
  selection: SelectionLists,
  options?: ReadOptions,
): Promise<number[]> {
  const snapshot = await cluster.snapshot(options);
  const { where, parameters } = seriesCondition({ selection, includeHistorical: true }, snapshot);
  const { where: seen } = visible(snapshot);
  const used = `SELECT unit_id FROM series_unit WHERE ${seen} AND series IN (SELECT handle FROM series WHERE ${where})`;
  const dimensions = `SELECT dimension FROM unit
    WHERE ${seen} AND dimension IS NOT NULL AND ${CONVERTIBLE} AND id IN (${used})`;
  const rows = await cluster.first.rows(
    `SELECT id FROM unit
    WHERE ${seen} AND (id IN (${used}) OR (${CONVERTIBLE} AND dimension IN (${dimensions}))) ORDER BY id`,
    parameters,
    options,
  );
  return rows.map((row) => row.id as number);
}
