import type { LongFrame } from '../../browser.js';
import { type Line, readLines } from '../series/lines.js';
import { DAY_MS, dayOf } from '../state/days.js';
import { learnNames } from '../state/names.js';
import { page, part, whileShown } from '../state/page.js';
import { type DataRequest, endOfDay, requestOf } from '../state/request.js';
import { resource } from '../state/resource.js';
import type { SeriesId } from '../state/series-id.js';
import { ask } from '../state/service.js';
import { shown } from '../state/shown.js';
import { EMPTY_STATE } from '../state/view-state.js';
import { loadPlaces, type Place } from './places.js';

/** The series of a map: all that differ in their region alone. */
export type MapSubject = Omit<SeriesId, 'region_id'>;

/** A region of the map, with its values by ascending period. */
export interface MapRegion extends Place {
  readonly id: number;
  readonly name: string;
  readonly line: Line;
}

/** What the map shows. */
export interface MapData {
  readonly regions: readonly MapRegion[];
  /** Every last day of a period of which some region has a value, ascending, UTC milliseconds. */
  readonly dates: readonly number[];
  /** The lowest and the highest value of all dates, so that colours mean the same on each. */
  readonly domain: readonly [number, number];
  readonly unit: string;
  /** The values as a frame, with their sources. */
  readonly table: LongFrame;
  /** The sources, with their licences. */
  readonly credit: string;
  /** The first date that was asked for; null for all. */
  readonly start_date: string | null;
  /** What the values were asked for by, in the words of the client, and as other programs ask. */
  readonly request: object;
  readonly asked: DataRequest;
  /** How many more regions have data than the map takes. */
  readonly left: number;
}

/** As many as a service counts and answers at once; a step of so many shapes takes less than half a second. */
const MAX_REGIONS = 10_000;

/** Daily, weekly, 8-day and 10-day: values of many regions are many, so that without a range the last year is taken. */
const FINE = new Set([1, 3, 4, 5]);
const YEAR_MS = 366 * DAY_MS;

/** Of the chosen series, the first; its companions are those of other regions. */
const subject = part(({ series }) => {
  const [first] = series;
  if (first === undefined) return null;
  const { region_id: _, ...rest } = first;
  return rest;
});

/** The values and shapes of all regions that have the first chosen series' metric, item, source and frequency. */
export const mapData = resource(
  whileShown('map', () => {
    const wanted = subject.value;
    if (wanted === null) return null;
    const { asof, unit, from, to } = page.value;
    const needsYear = from === null && FINE.has(wanted.frequency_id);
    const extent = needsYear ? shown.value.value?.extent : undefined;
    if (needsYear && extent == null) return null;
    const start_date = extent == null ? from : dayOf(extent.toMs - YEAR_MS);
    return { ...wanted, asof, unit, start_date, end_date: to };
  }),
  (wanted, signal) => loadMap(wanted, signal),
);

type Wanted = MapSubject & {
  readonly asof: string | null;
  readonly unit: number | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
};

async function loadMap(
  { asof, unit, start_date, end_date, ...wanted }: Wanted,
  signal: AbortSignal,
): Promise<MapData> {
  const counted = await ask(
    (client) => client.facets(wanted, { in: 'regions', limit: MAX_REGIONS, signal }),
    signal,
  );
  const ids = counted.regions.filter(({ series }) => series > 0).map(({ id }) => id);
  learnNames('region', counted.regions);
  const request = {
    ...wanted,
    region_id: ids,
    start_date: start_date ?? undefined,
    end_date: end_date ?? undefined,
    at_time: asof === null ? undefined : endOfDay(asof),
    unit_id: unit ?? undefined,
  };
  const [table, places] = await Promise.all([
    ask((client) => client.getDataPointsTable({ ...request, signal }), signal),
    loadPlaces(ids, signal),
  ]);
  const lines = await readLines(table);
  const regions = lines.flatMap((line): MapRegion[] => {
    const id = line.id.region_id;
    const place = places.get(id);
    if (place === undefined || !line.value.some((value) => !Number.isNaN(value))) return [];
    return [{ id, ...place, line }];
  });
  const { creditOf, readProvenance } = await import('../../frame.js');
  const units = readProvenance(table)?.units ?? [];
  return {
    regions,
    ...scaleOf(lines),
    unit: units.map(({ abbreviation }) => abbreviation).join(', '),
    table,
    credit: creditOf(table),
    left: counted.more.regions,
    request,
    asked: {
      ...requestOf(EMPTY_STATE),
      ...{ series: [{ ...wanted, region_id: 0 }], regions: ids },
      ...{ from: start_date, to: end_date, asof, unit },
    },
    start_date,
  };
}

/** Every date on which a line has a value, and the lowest and the highest value of all. */
export function scaleOf(lines: readonly Line[]): Pick<MapData, 'dates' | 'domain'> {
  const dates = new Set<number>();
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { end, value } of lines)
    value.forEach((one, row) => {
      if (Number.isNaN(one)) return;
      dates.add(end[row]!);
      low = Math.min(low, one);
      high = Math.max(high, one);
    });
  return { dates: [...dates].sort((a, b) => a - b), domain: [low, high] };
}
