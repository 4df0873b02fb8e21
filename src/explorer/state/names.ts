import { signal } from '@preact/signals';
import type { FacetOptions, Facets } from '../../client/facets.js';
import type { SeriesNames } from '../../frame/table/short-labels.js';
import { type EntityOf, WORLD_NAME, WORLD_REGION_ID } from '../../model/entity.js';
import type { FacetName, FacetValue, Selection } from '../../model/selection.js';
import type { SeriesKey } from '../../model/series.js';
import { ask } from './service.js';
import type { Facet } from './view-state.js';

export const TYPES = {
  metric: 'metrics',
  item: 'items',
  region: 'regions',
  source: 'sources',
  frequency: 'frequencies',
  unit: 'units',
} as const satisfies Readonly<Record<Facet | 'unit', string>>;

export type EntityKind = keyof typeof TYPES;

/** Entity names by kind and id. The name is null if the service does not know the id. */
const namesById = signal<ReadonlyMap<string, string | null>>(new Map());
const requested = new Set<string>();
const waiting = new Map<EntityKind, number[]>();
/** The time after which a failed lookup can be repeated. */
const RETRY_MS = 5_000;
const nameKey = (kind: EntityKind, id: number) => `${kind} ${id}`;

/** Returns an entity's name, `…` while it is looked up, or the kind and id if the service does not know it. */
export function nameOf(kind: EntityKind, id: number): string {
  if (kind === 'region' && id === WORLD_REGION_ID) return WORLD_NAME;
  const key = nameKey(kind, id);
  const name = namesById.value.get(key);
  if (name === undefined && !requested.has(key)) {
    requested.add(key);
    if (waiting.size === 0) queueMicrotask(lookUpWaiting);
    waiting.set(kind, [...(waiting.get(kind) ?? []), id]);
  }
  return name === undefined ? '…' : (name ?? key);
}

function lookUpWaiting(): void {
  for (const [kind, ids] of waiting)
    lookUp(kind, ids).catch(() => {
      // The error is not reported here, because the figures already show that the service failed.
      for (const id of ids) requested.delete(nameKey(kind, id));
      setTimeout(() => (namesById.value = new Map(namesById.peek())), RETRY_MS);
    });
  waiting.clear();
}

/** Returns the entities that the service knows, keyed by id, and stores their names. */
export async function lookUp<Kind extends EntityKind>(
  kind: Kind,
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<Record<number, EntityOf[(typeof TYPES)[Kind]]>> {
  if (ids.length === 0) return {};
  const found = await ask((client) => client.lookup(TYPES[kind], ids, { signal }));
  keepNames(ids.map((id) => [nameKey(kind, id), found[id]?.name ?? null]));
  return found;
}

/** Checks whether a name is only a code, such as `72259` or `Station USC00000001`, because the real name is unknown. */
const isCode = ({ name }: FacetValue) => /^(Station )?[A-Z_-]*\d[A-Z\d_-]*$/.test(name);

/** Counts the series of a selection by facet, and stores the names of the facets' values. Lists codes after names. */
export async function countSeries<Name extends FacetName>(
  selection: Selection,
  options: FacetOptions<Name>,
): Promise<Facets<Name>> {
  const found = await ask((client) => client.facets(selection, options));
  const values: Partial<Record<string, FacetValue[]>> = found;
  for (const list of Object.values(TYPES))
    values[list]?.sort((a, b) => Number(isCode(a)) - Number(isCode(b)));
  keepNames(
    (Object.keys(TYPES) as EntityKind[]).flatMap((kind) =>
      (values[TYPES[kind]] ?? []).map(({ id, name }) => [nameKey(kind, id), name] as const),
    ),
  );
  return found;
}

/** Stores names. Stores null (unknown) only for ids requested by `nameOf`, so that `unknownNames` lists no others. */
function keepNames(names: readonly (readonly [key: string, name: string | null])[]): void {
  const known = namesById.peek();
  const learned = names.filter(([key, name]) =>
    name === null ? requested.has(key) && !known.has(key) : known.get(key) !== name,
  );
  if (learned.length > 0) namesById.value = new Map([...known, ...learned]);
}

export function unknownNames(): readonly string[] {
  return [...namesById.value].flatMap(([key, name]) => (name === null ? [key] : []));
}

/** Returns the names of all parts of a series. The name of a missing partner region is an empty string. */
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

export function seriesName(series: SeriesKey): string {
  return namesOf(series).filter(Boolean).join(' · ');
}
