import { computed, signal } from '@preact/signals';
import { frequencyId } from '../../model/frequency.js';
import type { DataSeries } from '../../model/series.js';
import { resource } from '../state/resource.js';
import { ask } from '../state/service.js';

/** A place with daily temperatures. */
export interface Station {
  readonly id: number;
  readonly name: string;
}

/** The items of degree days, as the specification names them. */
const MINIMA = 'Temperature min';
const MAXIMA = 'Temperature max';
const DAILY = frequencyId('daily');
const MAX_STATIONS = 200;

/** What the user types to find a station. */
export const stationText = signal('');
/** Whether the panel was opened: until then no station is asked for. */
export const wantsStations = signal(false);

const key = computed(() => (wantsStations.value ? { text: stationText.value.trim() } : null));

/** The places with daily minima, those with the most series first. */
export const stations = resource(
  key,
  async ({ text }, signal): Promise<readonly Station[]> => {
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

/** The daily minima and maxima of a place that have the most days, of one source where there is one with both. */
export async function temperaturesOf(
  region_id: number,
  signal: AbortSignal,
): Promise<{ readonly tmin: DataSeries; readonly tmax: DataSeries }> {
  const [min, max] = await Promise.all([itemId(MINIMA, signal), itemId(MAXIMA, signal)]);
  const found = await ask(
    (client) => client.getDataSeries({ item_id: [min, max], region_id, frequency_id: DAILY }, { signal }),
    signal,
  );
  const best = (item: number, source?: number) =>
    found
      .filter(({ item_id, source_id }) => item_id === item && (source === undefined || source_id === source))
      .sort((a, b) => (b.data_count_estimate ?? 0) - (a.data_count_estimate ?? 0))[0];
  const tmax = best(max);
  const tmin = tmax && (best(min, tmax.source_id) ?? best(min));
  if (tmin === undefined || tmax === undefined)
    throw new Error(
      `This place has no daily ${tmax === undefined ? 'maxima' : 'minima'}. Choose another one.`,
    );
  return { tmin, tmax };
}

async function itemId(name: string, signal: AbortSignal): Promise<number> {
  const hits = await ask((client) => client.searchAll(name, { types: ['items'], limit: 5, signal }), signal);
  const hit = hits.find((one) => one.exact) ?? hits[0];
  if (hit === undefined) throw new Error(`This service has no item called “${name}”.`);
  return hit.id;
}
