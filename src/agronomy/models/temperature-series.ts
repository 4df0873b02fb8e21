import type { ServiceClient } from '../../client/client.js';
import { findRegionSeries } from '../../client/discovery/region-series.js';
import type { FoundSeries } from '../../client/discovery/resolution.js';
import type { PointSet } from '../../columns/packed-points.js';
import { dateAt } from '../../columns/series-dates.js';
import { seriesWithoutUnit, unitUses } from '../../compute/units.js';
import type { LongFrame } from '../../frame/frame.js';
import { readSeries, type SeriesPoints } from '../../frame/series/series-points.js';
import type { MatchedName } from '../../model/entity.js';
import { badArgument, UnitError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import { toMatchedName } from '../../model/names/meaning.js';
import type { Cancellable, LongOperation } from '../../model/progress.js';
import type { PointFlags } from '../../model/schema/fields.js';
import { type SeriesKey, seriesKeyOf } from '../../model/series.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import { fetchSavedSeries } from '../../saved/fetch/fan-out.js';
import { getSavedFrame } from '../../saved/get-df.js';
import { alignDays, type DaySpan, emptyDays, temperaturesWithin } from '../degree-days/daily-values.js';
import type { TemperatureDays } from '../degree-days/kernels.js';
import {
  type DegreeDayRule,
  type ExtremesOf,
  isTemperatureUnit,
  TEMPERATURE_ITEMS,
  TEMPERATURE_SYMBOLS,
  type TemperatureUnit,
  usesNextMinimum,
} from '../degree-days/plan.js';

export type TemperaturePair = ExtremesOf<SeriesKey>;

interface TemperatureRequest
  extends LongOperation,
    Pick<PointFlags, 'at_time'>,
    Pick<DegreeDayRule, 'method' | 'temperature_unit'> {
  readonly days: DaySpan;
}

/**
 * Fetches pairs of series, converts them to the temperature unit and aligns them with the days. If the method uses the
 * next day's minimum, the day after the last one is also fetched.
 */
export async function fetchTemperatures(
  client: ServiceClient,
  pairs: readonly TemperaturePair[],
  { days, method, temperature_unit: unit = 'celsius', at_time, signal, onProgress }: TemperatureRequest,
): Promise<TemperatureDays[]> {
  const lastDay = usesNextMinimum(method) ? days.days : days.days - 1;
  const keys = pairs.flatMap(({ tmin, tmax }) => [tmin, tmax]).map(dailyKey);
  const { points } = await fetchSavedSeries(client, keys, {
    start_date: formatDay(days.firstMs),
    end_date: formatDay(days.firstMs + lastDay * DAY_MS),
    at_time,
    signal,
    onProgress,
  });
  const converted = await inTemperatureUnit(client, points, { unit, signal });
  return alignPairs(converted, pairs.length, days);
}

function dailyKey(series: SeriesKey): SeriesKey {
  const { region_id, frequency_id } = series;
  if (frequency_id !== frequencyId('daily')) {
    throw badArgument(
      'frequency_id',
      `degree days require daily series, but the series for region ${region_id} has frequency_id ${frequency_id}`,
    );
  }
  return { ...seriesKeyOf(series), partner_region_id: series.partner_region_id ?? 0 };
}

/**
 * Converts points to a temperature unit. The unit is looked up first among the points' own units, then among the
 * allowed units, and finally among all of the service's units.
 */
async function inTemperatureUnit(
  client: ServiceClient,
  points: PointSet,
  { unit, signal }: { unit: TemperatureUnit; signal: AbortSignal | undefined },
): Promise<PointSet> {
  const first = points.series.find((series) => series.unit_id !== null);
  const symbol = TEMPERATURE_SYMBOLS[unit];
  const unitless = seriesWithoutUnit(points);
  if (unitless !== undefined)
    throw new UnitError(
      null,
      `the temperatures for region ${unitless.region_id} cannot be converted to ${symbol}: they have no unit`,
    );
  if (first === undefined) return points;
  const lookUp = async (ids: readonly number[]) => [
    ...(await client.lookupList('units', ids, { signal })).values(),
  ];
  const places = [
    () => lookUp([...unitUses(points)].map(({ unit_id }) => unit_id)),
    async () => lookUp(await client.getAllowedUnits(first.metric_id, first.item_id, { signal })),
    () => client.listUnits({ signal }),
  ];
  for (const find of places) {
    const target = (await find()).find(({ abbreviation }) => isTemperatureUnit(abbreviation, unit));
    if (target === undefined) continue;
    try {
      return await client.toUnit(points, target.id, signal);
    } catch (error) {
      throw error instanceof UnitError ? notTemperature(error.unit_id, symbol, error.reason) : error;
    }
  }
  throw notTemperature(first.unit_id, symbol, NO_SUCH_UNIT);
}

const NO_SUCH_UNIT = 'the service has no unit with that name or abbreviation';

function notTemperature(unit_id: number | null, symbol: string, reason: string): UnitError {
  const message = `unit_id ${unit_id} cannot be converted to ${symbol}: ${reason}; is the series a temperature?`;
  return new UnitError(unit_id, message);
}

/** Aligns points with the days. Each pair has two consecutive series: daily minima, followed by daily maxima. */
function alignPairs({ runs }: PointSet, pairs: number, span: DaySpan): TemperatureDays[] {
  const { firstMs: startMs, days } = span;
  // The extra day is for the minimum after the interval.
  const aligned = Array.from({ length: 2 * pairs }, () => ({
    startMs,
    values: emptyDays({ days: days + 1 }),
  }));
  for (const { series, length, start_date, value } of runs) {
    const values = value.subarray(0, length);
    alignDays(aligned[series]!.values, startMs, { dateAt: (i) => dateAt(start_date, i), values });
  }
  return Array.from({ length: pairs }, (_, pair) =>
    temperaturesWithin({ tmin: aligned[2 * pair]!, tmax: aligned[2 * pair + 1]! }, span),
  );
}

export interface RegionTemperatures extends ExtremesOf<FoundSeries> {
  readonly matched: MatchedName;
}

interface Covered extends Cancellable {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  /** Whether to reject a service that lacks the standard temperature items and metric. */
  readonly exact?: boolean | undefined;
}

async function temperaturesOf(
  client: ServiceClient,
  region_ids: readonly number[],
  covered: Covered,
): Promise<ReadonlyMap<number, ExtremesOf<FoundSeries>>> {
  const wanted = { ...covered, region_ids, metric: 'Temperature', frequency_id: frequencyId('daily') };
  const [minima, maxima] = await Promise.all(
    [TEMPERATURE_ITEMS.tmin, TEMPERATURE_ITEMS.tmax].map((item) =>
      findRegionSeries(client, { ...wanted, item }),
    ),
  );
  return new Map(
    [...minima!].flatMap(([id, tmin]) => {
      const tmax = maxima!.get(id);
      return tmax === undefined ? [] : [[id, { tmin, tmax }]];
    }),
  );
}

/** The number of search hits to consider per name. The first hit with temperatures is used. */
const HITS_PER_NAME = 10;

/**
 * Finds, for each region name, the first matching region that has both daily minima and daily maxima.
 * @throws ArgumentError if a name matches no such region
 */
export async function findTemperatures(
  client: ServiceClient,
  region_names: readonly string[],
  { start_date, end_date, signal }: Covered,
): Promise<RegionTemperatures[]> {
  const asked = { region: region_names, hits_per_name: HITS_PER_NAME, limit: 0, signal };
  const { names } = await client.resolve(asked);
  const region_ids = names.flatMap(({ hits }) => hits.map(({ id }) => id));
  const found = await temperaturesOf(client, region_ids, { start_date, end_date, signal });
  return names.map(({ requested, hits }): RegionTemperatures => {
    const hit = hits.find(({ id }) => found.has(id));
    if (hit === undefined)
      throw badArgument(
        'region_name',
        `"${requested}" has no daily minimum and maximum temperatures; specify a region or station that has both`,
      );
    return { ...found.get(hit.id)!, matched: toMatchedName(requested, hit) };
  });
}

export interface StationTemperatures extends ExtremesOf<SeriesPoints> {
  readonly table: LongFrame;
  readonly unit_id: number;
  readonly unit: TemperatureUnit;
}

export async function stationTemperatures(
  client: ServiceClient,
  region_id: number,
  { unit, at_time, signal }: Cancellable & { unit: TemperatureUnit; at_time?: string | undefined },
): Promise<StationTemperatures> {
  const pair = (await temperaturesOf(client, [region_id], { exact: true, signal })).get(region_id);
  if (pair === undefined)
    throw badArgument('region', 'this place has no daily minima and maxima', {
      remedy: 'choose another place',
    });
  const units = await client.listUnits({ signal });
  const symbol = TEMPERATURE_SYMBOLS[unit];
  const unit_id = units.find(({ abbreviation }) => isTemperatureUnit(abbreviation, unit))?.id;
  if (unit_id === undefined)
    throw new UnitError(null, `the temperatures cannot be converted to ${symbol}: ${NO_SUCH_UNIT}`);
  const options = { include_names: true, at_time, unit_id, signal } as const;
  const table = (await getSavedFrame(client, [pair.tmin, pair.tmax], options)) as LongFrame;
  const series = readSeries(table);
  const [tmin, tmax] = [pair.tmin, pair.tmax].map(({ item_id }) =>
    series.find(({ view }) => view.key.item_id === item_id),
  );
  if (tmin === undefined || tmax === undefined)
    throw badArgument('region', 'the temperature series for this place have no values', {
      remedy: 'choose another place, or another date',
    });
  return { tmin, tmax, table, unit_id, unit };
}
