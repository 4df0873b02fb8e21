import { computed, signal } from '@preact/signals';
import { candidateOf } from '../../client/discovery/candidates.js';
import { rankByCoverage } from '../../compute/ranking.js';
import { fromRows } from '../../frame/formats/rows.js';
import { readSeries } from '../../frame/series/series-points.js';
import { frequencyId } from '../../model/frequency.js';
import type { DataSeries } from '../../model/series.js';
import { getSavedFrame } from '../../saved/get-df.js';
import { literal } from '../export/code.js';
import type { Exported } from '../export/exported.js';
import { nameOf, seriesName } from '../state/names.js';
import { page, whileShown } from '../state/page.js';
import { resource } from '../state/resource.js';
import { ask } from '../state/service.js';
import { EMPTY_STATE, flagsOf, requestOf } from '../state/view-state.js';
import { type Season, type Seasons, seasonsOf } from './seasons.js';

/** The items of degree days, as the specification names them. */
const MINIMA = 'Temperature min';
const MAXIMA = 'Temperature max';
const DAILY = frequencyId('daily');
const MAX_STATIONS = 200;

/** The text that the user types to find a station. */
export const stationText = signal('');

/** The places with daily minima, those with the most series first. */
export const stations = resource(
  whileShown('degree-days', () => ({ text: stationText.value.trim() })),
  async ({ text }, signal) => {
    const item_id = await itemId(MINIMA, signal);
    const wanted = {
      in: 'regions',
      limit: MAX_STATIONS,
      text: text === '' ? undefined : text,
      signal,
    } as const;
    const { regions } = await ask(
      (client) => client.facets({ item_id, frequency_id: DAILY }, wanted),
      signal,
    );
    return regions.filter(({ series }) => series > 0);
  },
  { waitMs: 150 },
);

/** The daily minima and the daily maxima of a place that are covered best, as agronomy ranks them. */
async function temperaturesOf(
  region_id: number,
  signal: AbortSignal,
): Promise<{ readonly tmin: DataSeries; readonly tmax: DataSeries }> {
  const [min, max] = await Promise.all([itemId(MINIMA, signal), itemId(MAXIMA, signal)]);
  const found = await ask(
    (client) => client.getDataSeries({ item_id: [min, max], region_id, frequency_id: DAILY }, { signal }),
    signal,
  );
  const best = (item: number) => {
    const candidates = found.filter(({ item_id }) => item_id === item);
    return rankByCoverage(candidates.map((series) => candidateOf(series, series.source_id)))[0]?.series;
  };
  const [tmin, tmax] = [best(min), best(max)];
  if (tmin === undefined || tmax === undefined)
    throw new Error(
      `This place has no daily ${tmax === undefined ? 'maxima' : 'minima'}. Choose another one.`,
    );
  return { tmin, tmax };
}

async function itemId(name: string, signal: AbortSignal): Promise<number> {
  const hits = await ask((client) => client.searchAll(name, { types: ['items'], limit: 5, signal }), signal);
  const hit = hits.find(({ exact }) => exact);
  if (hit === undefined) throw new Error(`This service has no item called “${name}”.`);
  return hit.id;
}

/** The daily temperatures of the chosen place, °C. */
export const temperatures = resource(
  whileShown('degree-days', () => {
    const { degreeDays, asof } = page.value;
    return degreeDays.station === null ? null : { station: degreeDays.station, asof };
  }),
  async ({ station, asof }, signal) => {
    const { tmin, tmax } = await temperaturesOf(station, signal);
    const units = await ask((client) => client.listUnits({ signal }), signal);
    const unit = units.find(({ abbreviation }) => abbreviation === '°C')?.id ?? null;
    const table = await ask((client) => {
      const options = { include_names: true, ...flagsOf({ asof, unit }), signal } as const;
      return getSavedFrame(client, [tmin, tmax], options);
    }, signal);
    const series = readSeries(table);
    const ofItem = (item: number) => series.find(({ view }) => view.key.item_id === item);
    const found = { tmin: ofItem(tmin.item_id), tmax: ofItem(tmax.item_id) };
    if (found.tmin === undefined || found.tmax === undefined)
      throw new Error(
        'The temperatures of this place have no values. Choose another place, or another date above.',
      );
    return { tmin: found.tmin, tmax: found.tmax, table, unit };
  },
);

/** The seasons of the chosen place by the chosen rule, or why there are none. */
export const shownSeasons = computed((): { made: Seasons | null; problem: string } => {
  const lines = temperatures.loaded.value.value;
  if (lines === null) return { made: null, problem: '' };
  try {
    return { made: seasonsOf(lines, page.value.degreeDays), problem: '' };
  } catch (error) {
    return { made: null, problem: error instanceof Error ? error.message : String(error) };
  }
});

/** The totals of the seasons, the temperatures that they are made of, and the rule. */
export function exportedSeasons(): Exported {
  const { station } = page.peek().degreeDays;
  const found = temperatures.loaded.peek().value;
  const seasons = shownSeasons.peek().made?.seasons ?? [];
  const series = found === null ? [] : [found.tmin.view.key, found.tmax.view.key];
  const { asof } = page.peek();
  return {
    title: `degree days ${station === null ? '' : nameOf('region', station)}`,
    shown: seasons.length === 0 ? null : fromRows(seasons.map(rowOf)),
    whole: found?.table ?? null,
    labels: { shown: 'Seasons', whole: 'Daily temperatures' },
    request: found === null ? null : { ...requestOf(EMPTY_STATE), series, asof, unit: found.unit },
    names: series.map(seriesName),
    notes: [`The page computes degree days from these temperatures by the rule ${ruleText()}.`],
  };
}

function ruleText(): string {
  const { base, cap, method, from, to } = page.peek().degreeDays;
  const upTo = cap === null ? '' : `, cap ${cap} °C`;
  return `${literal(method)}, base ${base} °C${upTo}, season ${from} to ${to}`;
}

/** A season as a row: its dates are days, and it counts only days with both temperatures. */
function rowOf({ region_name, tmin_series, interval, total, days, days_counted, coverage }: Season) {
  const { base, cap, method } = page.peek().degreeDays;
  return {
    region_name,
    start_date: interval?.start_date ?? null,
    end_date: interval?.end_date ?? null,
    total,
    unit: '°C·day',
    days,
    days_counted,
    coverage,
    base,
    cap,
    method,
    source_name: tmin_series.source_name,
  };
}
