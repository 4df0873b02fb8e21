import { chunksOf } from '../../model/grouping.js';
import { SERIES_KEY_FIELDS } from '../../model/series.js';
import type { SourceImports, StoredFetch } from '../import-records.js';
import type { EntityCombination, PointPlan, SeriesPlan, StoredSeries } from '../plan.js';
import type { ReadOptions, StoreAdministration, StoreReader } from '../store.js';
import { mapInTurns } from '../turns.js';
import type { NumberColumns, OpenTables, QueryParts } from './engine-tables.js';

export function seriesCondition(parts: QueryParts, { selection }: SeriesPlan): string {
  const conditions = ['true'];
  for (const field of SERIES_KEY_FIELDS) {
    const ids = selection[field];
    if (ids !== undefined) conditions.push(parts.ids(field, ids));
  }
  return conditions.join(' AND ');
}

/** Returns SQL conditions for periods that overlap a plan's dates and for vintages that were available by `atMs`. */
export function dateConditions(
  { startMs, endMs, atMs = null }: Pick<PointPlan, 'startMs' | 'endMs'> & { readonly atMs?: number | null },
  time: (ms: number) => string,
): string[] {
  return [
    ...(startMs === null ? [] : [`end_date >= ${time(Math.ceil(startMs))}`]),
    ...(endMs === null ? [] : [`start_date <= ${time(Math.floor(endMs))}`]),
    ...(atMs === null ? [] : [`available_date <= ${time(Math.floor(atMs))}`]),
  ];
}

const MAX_BATCH_SERIES = 4_096;

export async function* readSeries(
  open: OpenTables,
  plan: SeriesPlan,
  options: ReadOptions = {},
): AsyncGenerator<StoredSeries[], void, void> {
  const tables = await open(options);
  const { snapshot } = tables;
  const numbers = SERIES_NUMBERS.map((column) => tables.number(column));
  const read = [...SERIES_IDS, ...numbers, tables.isRevised].join(', ');
  const sql = `SELECT ${read} FROM ${tables.from('series', seriesCondition(tables, plan))} ORDER BY handle`;
  for await (const { length, columns } of tables.numbers(sql, options)) {
    const of = snapshot === tables.snapshot ? snapshot : null;
    for (const rows of chunksOf([...Array(length).keys()], MAX_BATCH_SERIES))
      yield await mapInTurns(rows, (row) => toStoredSeries(columns, row, of));
  }
}

/** The SQL condition for units that can be converted, equivalent to `hasFactor` in `compute/units.ts`. */
const CONVERTIBLE = 'isFinite(coalesce(factor, 0)) AND coalesce(factor, 0) <> 0';

type SeriesOperations = Pick<StoreReader, 'series' | 'combinations' | 'allowedUnits'> &
  Pick<StoreAdministration, 'sourceImports' | 'fetches'>;

/** Returns the operations that read the tables of series and of import records. */
export function seriesOperations(open: OpenTables): SeriesOperations {
  return {
    series: (plan, options) => readSeries(open, plan, options),
    async combinations(plan, options) {
      const fields = 'metric_id, item_id, region_id, source_id';
      const tables = await open(options);
      const series = tables.from('series', seriesCondition(tables, plan));
      const sql = `SELECT DISTINCT ${fields} FROM ${series} ORDER BY ${fields}`;
      return (await tables.rows(sql, options)) as unknown as EntityCombination[];
    },
    /** Reads the units of the latest points, and all convertible units of the same dimensions. */
    async allowedUnits(metricIds, itemIds, options) {
      const selection = { metric_id: metricIds, ...(itemIds && { item_id: itemIds }) };
      const tables = await open(options);
      const series = tables.from('series', seriesCondition(tables, { selection }));
      const units = tables.from('series_unit', `series IN (SELECT handle FROM ${series})`);
      const isUsed = `id IN (SELECT unit_id FROM ${units})`;
      const dimensions = tables.from('unit', `dimension IS NOT NULL AND ${CONVERTIBLE} AND ${isUsed}`);
      const isSimilar = `${CONVERTIBLE} AND dimension IN (SELECT dimension FROM ${dimensions})`;
      const sql = `SELECT id FROM ${tables.from('unit', `(${isUsed} OR (${isSimilar}))`)} ORDER BY id`;
      return (await tables.rows(sql, options)).map(({ id }) => id as number);
    },
    async sourceImports() {
      const tables = await open();
      const counted = `SELECT source_id, CAST(count(*) AS DOUBLE) AS own, CAST(sum(point_count) AS DOUBLE) AS points
        FROM ${tables.from('series')} GROUP BY source_id`;
      // ClickHouse fills rows without a match with empty strings and zeros.
      const rows = await tables.rows(`SELECT counted.source_id AS "sourceId", own AS series, points,
          nullIf(dataset, '') AS dataset, nullIf(imported, 0) AS "importedMs"
        FROM (${counted}) AS counted
        LEFT JOIN (SELECT source_id, dataset, imported FROM ${tables.from('source_import')}) AS recorded
          ON recorded.source_id = counted.source_id ORDER BY counted.source_id`);
      return rows as unknown as SourceImports[];
    },
    async fetches() {
      const tables = await open();
      const rows = await tables.rows(`SELECT dataset, request, settings, files, fetched_at AS "fetchedMs"
        FROM ${tables.from('stored_fetch', 'fetched_at IS NOT NULL')} ORDER BY dataset, request`);
      return rows.map(({ files, ...row }) => ({ ...row, files: JSON.parse(String(files)) }) as StoredFetch);
    },
  };
}

const SERIES_IDS = [...SERIES_KEY_FIELDS, 'handle', 'unit_id', 'point_count'] as const;

/** The columns of `series` that are read as floats. Null becomes NaN, and dates become UTC milliseconds. */
const SERIES_NUMBERS = [
  'start_date',
  'end_date',
  'period_days',
  'available_date',
  'has_times',
  'has_one_unit',
  'has_reporting_dates',
  'has_metadata',
] as const;

/** Converts a row to a series. @param snapshot null if an import has changed the store meanwhile */
function toStoredSeries(
  columns: NumberColumns['columns'],
  row: number,
  snapshot: object | null,
): StoredSeries {
  const [metric, item, region, partner, frequency, source, handle, unit, count, ...numbers] = columns;
  const [start, end, days, available, times, oneUnit, reporting, metadata, revised] = numbers;
  return {
    handle: handle![row]!,
    metric_id: metric![row]!,
    item_id: item![row]!,
    region_id: region![row]!,
    partner_region_id: partner![row]!,
    source_id: source![row]!,
    frequency_id: frequency![row]!,
    unit_id: unit![row]!,
    startMs: start![row]!,
    endMs: end![row]!,
    pointCount: count![row]!,
    common:
      snapshot === null
        ? undefined
        : {
            snapshot,
            hasTimes: times![row] !== 0,
            periodDays: numberOrNull(days![row]!),
            hasOneUnit: oneUnit![row] === 1,
            hasReportingDates: reporting![row] !== 0,
            hasMetadata: metadata![row] !== 0,
            availableMs: numberOrNull(available![row]!),
            isRevised: revised![row] !== 0,
          },
  };
}

const numberOrNull = (value: number): number | null => (Number.isNaN(value) ? null : value);
