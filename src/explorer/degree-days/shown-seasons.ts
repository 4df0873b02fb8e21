import { computed, signal } from '@preact/signals';
import { TEMPERATURE_ITEMS } from '../../agronomy/degree-days/plan.js';
import { temperaturesOf } from '../../agronomy/models/temperature-series.js';
import { fromRows } from '../../frame/formats/rows.js';
import { readSeries } from '../../frame/series/series-points.js';
import { frequencyId } from '../../model/frequency.js';
import { getSavedFrame } from '../../saved/get-df.js';
import { literal } from '../export/code.js';
import type { Exported } from '../export/exported.js';
import { nameOf, seriesName } from '../state/names.js';
import { page, whileShown } from '../state/page.js';
import { resource } from '../state/resource.js';
import { ask } from '../state/service.js';
import { EMPTY_STATE, flagsOf, requestOf } from '../state/view-state.js';
import { type Season, type Seasons, seasonsOf } from './seasons.js';

const MAX_STATIONS = 200;

/** The text that the user types to find a station. */
export const stationText = signal('');

/** The places with daily minima, those with the most series first. */
export const stations = resource(
  whileShown('degree-days', () => ({ text: stationText.value.trim() })),
  async ({ text }, signal) => {
    const name = TEMPERATURE_ITEMS.tmin;
    const hits = await ask(
      (client) => client.searchAll(name, { types: ['items'], limit: 5, signal }),
      signal,
    );
    const item_id = hits.find(({ exact }) => exact)?.id;
    if (item_id === undefined) throw new Error(`This service has no item called “${name}”.`);
    const wanted = {
      in: 'regions',
      limit: MAX_STATIONS,
      text: text === '' ? undefined : text,
      signal,
    } as const;
    const { regions } = await ask(
      (client) => client.facets({ item_id, frequency_id: frequencyId('daily') }, wanted),
      signal,
    );
    return regions.filter(({ series }) => series > 0);
  },
  { waitMs: 150 },
);

/** The daily temperatures of the chosen place, °C. */
export const temperatures = resource(
  whileShown('degree-days', () => {
    const { degreeDays, asof } = page.value;
    return degreeDays.station === null ? null : { station: degreeDays.station, asof };
  }),
  async ({ station, asof }, signal) => {
    const pairs = await ask((client) => temperaturesOf(client, [station], { exact: true, signal }), signal);
    const pair = pairs.get(station);
    if (pair === undefined) throw new Error('This place has no daily minima and maxima. Choose another one.');
    const { tmin, tmax } = pair;
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
