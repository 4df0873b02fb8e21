import type { ServiceClient } from '../client/client.js';
import { fromColumns } from '../frame/formats/from-rows.js';
import type { Frame } from '../frame/frame.js';
import type { FrameColumn } from '../frame/table/columns.js';
import { compareValues } from '../frame/table/ordered.js';
import { columnOf } from '../frame/table/parse-column.js';
import { levelName, REGION_LEVELS } from '../model/entity.js';
import { FREQUENCIES, periodDays } from '../model/frequency.js';
import { getOrCompute } from '../model/grouping.js';
import { LONG_OPERATION, type LongOperation } from '../model/progress.js';
import { type ArgumentsOf, optional, promise } from '../model/schema/operation.js';
import { SELECTION_KEYS, type Selection } from '../model/selection.js';
import type { DataSeries } from '../model/series.js';
import { parseTime } from '../model/time.js';

/** Lists the data available from a service. */
export interface CatalogueOperations {
  /**
   * Returns one row for each combination of source, metric, item, frequency and region level that has series. Rows are
   * sorted by the names of source, metric and item, then from the highest to the lowest frequency. The columns are the
   * ids and names, the counts of `regions` and `series`, the number of `points` in a default retrieval (null if the
   * service does not count points), the earliest period's `start_date` and the latest period's `end_date`.
   * `getAllowedUnits` lists units.
   * @param selection the series to include; defaults to all series
   * @throws ArgumentError if an id is not an integer, or if a list is empty
   * @example
   * ```ts
   * const table = await client.catalogue({ item_id });
   * console.log(table.summary());
   * ```
   */
  catalogue(selection?: Selection, options?: LongOperation): Promise<Frame>;
}

catalogueOperations.takes = {
  catalogue: promise(optional(SELECTION_KEYS), optional(LONG_OPERATION)),
} satisfies ArgumentsOf<CatalogueOperations>;

type CatalogueClient = Pick<ServiceClient, 'scanSeries' | 'lookupList'>;

export function catalogueOperations(client: CatalogueClient): CatalogueOperations {
  return {
    async catalogue(selection = {}, options = {}) {
      const { groups } = await client.scanSeries(selection, () => new SeriesCounts(), options);
      const listed = [...groups.values()];
      const levels = await levelsOf(client, listed, options);
      await addNames(client, listed, options);
      return catalogueTable(listed.flatMap((group) => rowsOf(group, levels)).sort(compareRows));
    },
  };
}

const REGIONS_PER_STEP = 2000;

async function levelsOf(
  client: CatalogueClient,
  groups: readonly CataloguedGroup[],
  { signal, onProgress }: LongOperation,
): Promise<Map<number, number | null>> {
  const ids = [...new Set(groups.flatMap(({ regions }) => [...regions.keys()]))];
  const levels = new Map<number, number | null>();
  for (let from = 0; from < ids.length; from += REGIONS_PER_STEP) {
    const step = ids.slice(from, from + REGIONS_PER_STEP);
    for (const [id, { level }] of await client.lookupList('regions', step, { signal })) levels.set(id, level);
    const done = from + step.length;
    onProgress?.({ label: 'looking up regions', done, total: ids.length, unit: 'regions' });
  }
  return levels;
}

async function addNames(
  client: CatalogueClient,
  groups: readonly CataloguedGroup[],
  { signal }: LongOperation,
): Promise<void> {
  for (const [field, type] of CATALOGUE_FIELDS) {
    const nameless = groups.filter(({ names }) => names[field] === undefined);
    if (nameless.length === 0) continue;
    const ids = nameless.map((group) => group.ids[field]);
    const found = await client.lookupList(type, ids, { signal });
    for (const { ids, names } of nameless) names[field] = found.get(ids[field])?.name ?? `${ids[field]}`;
  }
}

function rowsOf(
  { ids, names, regions }: CataloguedGroup,
  levels: ReadonlyMap<number, number | null>,
): CatalogueRow[] {
  const byLevel = new Map<number | null, SeriesCount & { regions: number }>();
  for (const [region_id, count] of regions) {
    const level = levels.get(region_id) ?? null;
    const before = byLevel.get(level);
    if (before === undefined) byLevel.set(level, { ...count, regions: 1 });
    else byLevel.set(level, { ...sumOf(before, count), regions: before.regions + 1 });
  }
  return [...byLevel].map(([level, counts]) => ({ ids, names, level, ...counts }));
}

const DAYS_OF_FREQUENCY = new Map<number, number>(FREQUENCIES.map((one) => [one.id, periodDays(one)]));

function compareRows(a: CatalogueRow, b: CatalogueRow): number {
  for (const field of ['source', 'metric', 'item'] as const) {
    const order = compareValues(a.names[field]!, b.names[field]!) || a.ids[field] - b.ids[field];
    if (order !== 0) return order;
  }
  const days = ({ ids }: CatalogueRow) => DAYS_OF_FREQUENCY.get(ids.frequency) ?? Number.MAX_VALUE;
  const depth = ({ level }: CatalogueRow) => level ?? REGION_LEVELS.coordinate + 1;
  return days(a) - days(b) || a.ids.frequency - b.ids.frequency || depth(a) - depth(b);
}

interface CatalogueRow extends Pick<CataloguedGroup, 'ids' | 'names'>, SeriesCount {
  readonly level: number | null;
  readonly regions: number;
}

function catalogueTable(rows: readonly CatalogueRow[]): Frame {
  const columns: Record<string, FrameColumn> = {};
  for (const [field] of CATALOGUE_FIELDS) {
    columns[`${field}_id`] = columnOf('int32', rows, ({ ids }) => ids[field]);
    columns[`${field}_name`] = columnOf('dictionary', rows, ({ names }) => names[field]!);
  }
  columns.region_level = columnOf('int32', rows, ({ level }) => level);
  columns.region_level_name = columnOf('dictionary', rows, ({ level }) => levelName(level) ?? null);
  columns.regions = columnOf('int32', rows, ({ regions }) => regions);
  columns.series = columnOf('int32', rows, ({ series }) => series);
  columns.points = columnOf('float64', rows, ({ points }) => points);
  columns.start_date = columnOf('timestamp', rows, ({ start }) => start);
  columns.end_date = columnOf('timestamp', rows, ({ end }) => end);
  return fromColumns(columns);
}

/** The counts and dates of one or more series. `points` is null if the service does not count points. */
interface SeriesCount {
  series: number;
  points: number | null;
  /** The start of the earliest period, in UTC milliseconds. */
  start: number;
  end: number;
}

const CATALOGUE_FIELDS = [
  ['source', 'sources'],
  ['metric', 'metrics'],
  ['item', 'items'],
  ['frequency', 'frequencies'],
] as const;
type CatalogueField = (typeof CATALOGUE_FIELDS)[number][0];

interface CataloguedGroup {
  readonly ids: Readonly<Record<CatalogueField, number>>;
  /** The entity names. Names that the listed series lack are looked up and added later. */
  readonly names: Partial<Record<CatalogueField, string | undefined>>;
  readonly regions: Map<number, SeriesCount>;
}

class SeriesCounts {
  readonly groups = new Map<string, CataloguedGroup>();

  add(series: readonly DataSeries[]): void {
    for (const one of series) {
      const { regions } = this.#groupOf(one);
      const counted = countOf(one);
      const before = regions.get(one.region_id);
      regions.set(one.region_id, before === undefined ? counted : sumOf(before, counted));
    }
  }

  #groupOf(series: DataSeries): CataloguedGroup {
    const { source_id: source, metric_id: metric, item_id: item, frequency_id: frequency } = series;
    const key = `${source}-${metric}-${item}-${frequency}`;
    const ids = { source, metric, item, frequency };
    const group: CataloguedGroup = getOrCompute(this.groups, key, () => ({
      ids,
      names: {},
      regions: new Map(),
    }));
    for (const [field] of CATALOGUE_FIELDS) group.names[field] ??= series[`${field}_name`];
    return group;
  }
}

function countOf({ start_date, end_date, data_count_estimate }: DataSeries): SeriesCount {
  return {
    series: 1,
    points: data_count_estimate ?? null,
    // Listed series always have both dates.
    start: parseTime(start_date!, 'start_date'),
    end: parseTime(end_date!, 'end_date'),
  };
}

function sumOf(a: SeriesCount, b: SeriesCount): SeriesCount {
  return {
    series: a.series + b.series,
    points: a.points === null || b.points === null ? null : a.points + b.points,
    start: Math.min(a.start, b.start),
    end: Math.max(a.end, b.end),
  };
}
