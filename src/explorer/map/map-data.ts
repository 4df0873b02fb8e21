import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { linesWithValues } from '../../charts/frame-lines.js';
import { spanOf, TENTHS, withValues } from '../../charts/lines.js';
import { latestCommonDate } from '../../charts/map.js';
import {
  addZeroBreak,
  breaksOf,
  classColours,
  limitsOfAll,
  signedColours,
} from '../../charts/map-colours.js';
import { listSurroundings } from '../../client/surroundings.js';
import { changesBetween } from '../../compute/changes.js';
import { creditOf } from '../../frame/display/credit.js';
import { readProvenance } from '../../frame/table/provenance.js';
import { hasTrueZero } from '../../model/derivations.js';
import { splitUnit } from '../../model/entity.js';
import { type SeriesKey, seriesKeyOf } from '../../model/series.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import { pointsTable } from '../../saved/refresh-df.js';
import { currentTheme } from '../controls/media.js';
import { listMatching } from '../find/facets.js';
import { groupsOf, isFine, SUBJECT } from '../find/pick.js';
import { countSeries, lookUp } from '../state/names.js';
import { page, whileShown } from '../state/page.js';
import { shown } from '../state/points.js';
import { resource } from '../state/resource.js';
import { ask } from '../state/service.js';
import { type DataRequest, EMPTY_STATE, toClientOptions, type ViewState } from '../state/view-state.js';
import { type MapPlace, type MapRegion, type RegionValue, valuesOn } from './map-values.js';

/** The values and shapes of regions. Each region has at least one value. */
export type MapData = Awaited<ReturnType<typeof loadMap>>;

/** The maximum number of regions. Changing the date of a map with this many regions takes half a second. */
const MAX_REGIONS = 10_000;

/** The time span loaded for fine-grained series, unless a start date is chosen or the map shows an earlier date. */
const YEAR_MS = 366 * DAY_MS;

/** The values and shapes of all regions with a series that differs from the first chosen one only in its region. */
export const mapData = resource(
  whileShown('map', () => {
    const { series, asof, unit, from, to, date } = page.value;
    if (series[0] === undefined) return null;
    // All regions are loaded, not only the region of the first series.
    const { region_id: _, ...wanted } = series[0];
    if (from !== null || !isFine(wanted)) return { ...wanted, asof, unit, from, to };
    const lines = shown.loaded.value.value?.whole ?? [];
    if (lines.length === 0) return null;
    const lastMs = Math.max(...lines.map(({ end }) => end.at(-1)!));
    return { ...wanted, asof, unit, ...yearOfMap(lastMs, { date, to }) };
  }),
  async (wanted, signal) => {
    const map = await loadMap(wanted, signal);
    if (map.units.length < 2 || wanted.unit !== null) return map;
    // The colour scale needs a single unit, so the unit that most regions use is requested.
    const usesOf = (unit: string) =>
      map.regions.filter(({ line }) => line.unit === splitUnit(unit).unit).length;
    const [most] = [...map.units].sort((a, b) => usesOf(b.abbreviation) - usesOf(a.abbreviation));
    return loadMap({ ...wanted, unit: most!.id }, signal);
  },
  { keeps: (one, next) => SUBJECT.every((field) => one[field] === next[field]) },
);

/** If the map has one region: a series of the same metric and item from the source with the most regions, or null. */
export const widerMap = resource(
  () => {
    const [first] = page.value.series;
    if (mapData.loaded.value.value?.regions.length !== 1 || first === undefined) return null;
    return { ...EMPTY_STATE.filters, metric: [first.metric_id], item: [first.item_id] };
  },
  async (filters) => {
    const groups = groupsOf(await listMatching(filters), SUBJECT);
    const [[first, ...others] = []] = [...groups].sort((a, b) => b.length - a.length);
    return others.some(({ region_id }) => region_id !== first!.region_id) ? seriesKeyOf(first!) : null;
  },
);

/** Returns the start and end dates of the year to load. Dates are compared as strings. */
function yearOfMap(lastMs: number, { date, to }: Pick<ViewState, 'date' | 'to'>) {
  const from = formatDay(lastMs - YEAR_MS);
  if (date === null || date >= from) return { from, to };
  const year = date.slice(0, 4);
  return { from: `${year}-01-01`, to: `${year}-12-31` };
}

type MapRequest = Omit<SeriesKey, 'region_id'> & Pick<DataRequest, 'asof' | 'unit' | 'from' | 'to'>;

export function clientRequest({ series, regions = [], ...request }: DataRequest) {
  return { ...series[0]!, region_id: regions, ...toClientOptions(request) };
}

async function loadMap({ asof, unit, from, to, ...wanted }: MapRequest, signal: AbortSignal) {
  const counted = await countSeries(wanted, { in: 'regions', limit: MAX_REGIONS, signal });
  const ids = counted.regions.filter(({ series }) => series > 0).map(({ id }) => id);
  const series = [{ ...wanted, region_id: 0 }];
  const request = { ...EMPTY_STATE, series, regions: ids, from, to, asof, unit };
  const [table, places] = await Promise.all([
    ask((client) => pointsTable(client, { ...clientRequest(request), signal }, true)),
    loadPlaces(ids, signal),
  ]);
  const regions: readonly MapRegion[] = linesWithValues(table).flatMap((line) => {
    const place = places.get(line.key.region_id);
    return place === undefined ? [] : [{ ...place, line: withValues(line) }];
  });
  const units = readProvenance(table)?.units ?? [];
  return {
    regions,
    units,
    unit: regions[0]?.line.unit ?? '',
    table,
    credit: creditOf(table),
    left: counted.more.regions,
    request,
  };
}

export function isPlaced({ polygons, centre }: MapPlace): boolean {
  return polygons.length > 0 || centre !== null;
}

/** Returns the map's data with the values on one date, or their changes from another date, and the class colours. */
export function useDrawn(data: MapData) {
  const { date, otherDate, change } = page.value;
  const theme = currentTheme();
  const { newest, all, limits, dates } = useMemo(() => scaleOf(data.regions), [data]);
  const [wantedMs, otherMs] = [date, otherDate].map((day) => (day === null ? null : parseTime(day, 'day')));
  const latestUntil = (ms: number) => dates.findLast((one) => one <= ms) ?? dates[0]!;
  const at = wantedMs == null ? newest : latestUntil(wantedMs);
  const other = otherMs == null ? null : latestUntil(otherMs);
  const isPercent = change === 'percent' && hasTrueZero(data.unit);
  return useMemo(() => {
    const isChange = other !== null;
    const onDate = valuesOn(data.regions, at);
    const values = isChange ? changesBetween(valuesOn(data.regions, other), onDate, { isPercent }) : onDate;
    const drawnValues = isChange ? knownOf(values) : all;
    const figures = isPercent && isChange ? TENTHS : all;
    const breaks = isChange ? addZeroBreak(breaksOf(drawnValues), drawnValues) : limits;
    const range = spanOf([Float64Array.from(drawnValues)], () => 0);
    const colours = isChange ? signedColours(breaks, range) : classColours(breaks, theme);
    const names = data.regions[0]!.line;
    const unit = isPercent && isChange ? '%' : data.unit;
    const own = { measure: `${names.metric} · ${names.item}`, names, storedUnit: data.unit, unit };
    return {
      ...data,
      ...own,
      ...{ dates, at, other, wantedMs, values, all, figures, breaks, colours, range, isChange },
    };
  }, [data, at, other, isPercent, theme, wantedMs]);
}

function scaleOf(regions: readonly MapRegion[]) {
  const dates = [...new Set(regions.flatMap(({ line }) => [...line.end]))].sort((a, b) => a - b);
  const newest = latestCommonDate(regions.map(({ line }) => line.end));
  const all = regions.flatMap(({ line }) => [...line.value]);
  return { dates, newest, all, limits: limitsOfAll(all, knownOf(valuesOn(regions, newest))) };
}

const knownOf = (values: readonly RegionValue[]) => values.flatMap(({ value }) => value ?? []);

export type Drawn = ReturnType<typeof useDrawn>;

/** The id of any region at the shown level. It determines which surrounding regions are drawn. */
export const mappedRegion = signal<number | null>(null);

/** The regions around the map that have a shape. */
export const surroundings = resource(
  () => mappedRegion.value,
  async (id, signal): Promise<readonly MapPlace[]> => {
    const ids = await ask((client) => listSurroundings(client, id, { signal }));
    return [...(await loadPlaces(ids, signal)).values()].filter(({ polygons }) => polygons.length > 0);
  },
);

/** A low zoom level, at which the service simplifies shapes. */
const SIMPLE_ZOOM = 5;

async function loadPlaces(ids: readonly number[], signal: AbortSignal) {
  const [entities, shapes] = await Promise.all([
    lookUp('region', ids, signal),
    ask((client) => client.getShapes(ids, { zoom_level: SIMPLE_ZOOM, signal })),
  ]);
  return new Map(
    Object.values(entities).map(({ id, name, level, latitude, longitude }): [number, MapPlace] => {
      const centre = latitude === null || longitude === null ? null : ([longitude, latitude] as const);
      const polygons = shapes.get(id)?.geometries.flatMap((one) => one.coordinates) ?? [];
      return [id, { id, name, level, polygons, centre }];
    }),
  );
}
