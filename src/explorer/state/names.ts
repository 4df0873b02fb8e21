import { effect, signal } from '@preact/signals';
import { WORLD_NAME, WORLD_REGION_ID } from '../../model/entity.js';
import type { SeriesNames } from '../../model/names/short-labels.js';
import type { SeriesKey } from '../../model/series.js';
import { page } from './page.js';
import { points } from './points.js';
import { ask } from './service.js';
import type { Facet } from './view-state.js';

/** A kind of thing that has names. */
export type Named = Facet | 'unit';

/** The types of entities by their kinds. */
export const TYPES = {
  metric: 'metrics',
  item: 'items',
  region: 'regions',
  source: 'sources',
  frequency: 'frequencies',
  unit: 'units',
} as const satisfies Readonly<Record<Named, string>>;

/** Names by kind and id; null for an id that the service does not know. */
const namesById = signal<ReadonlyMap<string, string | null>>(new Map());
const requested = new Set<string>();

/** Counts up when names that could not be looked up are requested again. */
const attempt = signal(0);
const RETRY_MS = 5_000;

const keyOf = (kind: Named, id: number) => `${kind} ${id}`;

/** The name of a thing, or its kind and id until the service has answered. */
export function nameOf(kind: Named, id: number): string {
  if (kind === 'region' && id === WORLD_REGION_ID) return WORLD_NAME;
  return namesById.value.get(keyOf(kind, id)) ?? keyOf(kind, id);
}

/** The things that the page names and the service does not know. */
export function unknownNames(): readonly string[] {
  return [...namesById.value].flatMap(([key, name]) => (name === null ? [key] : []));
}

/** Keeps names that came with an answer. */
export function learnNames(
  kind: Named,
  entities: readonly { readonly id: number; readonly name: string }[],
): void {
  const learned = entities.filter(({ id, name }) => namesById.peek().get(keyOf(kind, id)) !== name);
  if (learned.length === 0) return;
  namesById.value = new Map([
    ...namesById.peek(),
    ...learned.map(({ id, name }) => [keyOf(kind, id), name] as const),
  ]);
}

/** Metric, item, region, partner region, frequency and source of a series; without a partner region, that is empty. */
export function namesOf(series: SeriesKey): SeriesNames {
  const { metric_id, item_id, region_id, partner_region_id, source_id, frequency_id } = series;
  return [
    nameOf('metric', metric_id),
    nameOf('item', item_id),
    nameOf('region', region_id),
    partner_region_id === 0 ? '' : `with ${nameOf('region', partner_region_id)}`,
    nameOf('frequency', frequency_id),
    nameOf('source', source_id),
  ];
}

/** The whole name of a series. */
export function seriesName(series: SeriesKey): string {
  return namesOf(series)
    .filter((name) => name !== '')
    .join(' · ');
}

/** Looks up the names of all that the page refers to; failures are repeated when points arrive, and after a while. */
export function followNames(): void {
  effect(() => {
    attempt.value;
    points.loaded.value;
    const { series, filters, unit, degreeDays, weights } = page.value;
    const ids: Record<Named, (number | null)[]> = {
      metric: [...series.map(({ metric_id }) => metric_id), ...filters.metric, weights.metric, weights.value],
      item: [...series.map(({ item_id }) => item_id), ...filters.item, weights.crop, weights.item],
      region: [
        ...series.flatMap(({ region_id, partner_region_id }) => [region_id, partner_region_id]),
        ...filters.region,
        ...weights.regions,
        degreeDays.station,
      ],
      source: [...series.map(({ source_id }) => source_id), ...filters.source],
      frequency: [...series.map(({ frequency_id }) => frequency_id), ...filters.frequency],
      unit: [unit],
    };
    for (const kind of Object.keys(TYPES) as Named[]) void lookUp(kind, ids[kind]);
  });
}

async function lookUp(kind: Named, wanted: readonly (number | null)[]): Promise<void> {
  const ids = [...new Set(wanted)].filter(
    (id): id is number => id !== null && !(kind === 'region' && id === WORLD_REGION_ID),
  );
  const missing = ids.filter(
    (id) => !namesById.peek().has(keyOf(kind, id)) && !requested.has(keyOf(kind, id)),
  );
  if (missing.length === 0) return;
  for (const id of missing) requested.add(keyOf(kind, id));
  try {
    const found = await ask((client) => client.lookup(TYPES[kind], missing));
    const names = new Map<string, string | null>(namesById.peek());
    for (const id of missing) names.set(keyOf(kind, id), found[id]?.name ?? null);
    namesById.value = names;
  } catch {
    // The figures show failures.
    for (const id of missing) requested.delete(keyOf(kind, id));
    setTimeout(() => attempt.value++, RETRY_MS);
  }
}
