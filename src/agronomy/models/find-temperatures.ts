import type { ServiceClient } from '../../client/client.js';
import type { FoundSeries } from '../../client/discovery/find-series.js';
import { findRegionSeries } from '../../client/discovery/region-series.js';
import { foldName, type NamedHit } from '../../client/search.js';
import type { TakenName } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import type { Cancellable } from '../../model/progress.js';

/** The names by which the temperature series of a region are found. */
const NAMES = { tmin: 'Temperature min', tmax: 'Temperature max', metric: 'Temperature' } as const;

/** Search hits of a region name that are tried in turn. */
const HITS_PER_NAME = 10;

/** Daily minima and maxima of one region. */
export interface RegionTemperatures {
  readonly tmin: FoundSeries;
  readonly tmax: FoundSeries;
  /** The region that was taken for the name. */
  readonly taken: TakenName;
}

/** @throws ArgumentError that names the choices, when the name is not that of the region taken, or of other places too */
export function requireOnlyPlace({ taken }: RegionTemperatures): void {
  const { asked, name, exact, namesakes } = taken;
  if (!exact)
    throw new ArgumentError(
      'region_name',
      `region_name: no region called "${asked}" has daily temperatures; did you mean "${name}"? Name it, or take it with explain: true`,
    );
  if (namesakes !== undefined)
    throw new ArgumentError(
      'region_name',
      `region_name: "${asked}" is the name of ${[name, ...namesakes].map((one) => `"${one}"`).join(' and ')}; name one of them, or take the first with explain: true`,
    );
}

/** @throws ArgumentError when the service has no items or metric of the names, and others were taken */
export function requireTemperatures({ tmin, tmax }: RegionTemperatures): void {
  const other = [tmin, tmax].flatMap(({ taken }) => taken?.item ?? taken?.metric ?? [])[0];
  if (other === undefined) return;
  throw new ArgumentError(
    'region_name',
    `region_name: the service has nothing called "${other.asked}", and "${other.name}" may be something else; give the series to computeGdd, or take these with explain: true`,
  );
}

/**
 * For each name, the daily minimum and maximum series that cover the interval best, of the first hit that has both.
 * @throws ArgumentError that names the region without daily temperatures
 */
export async function findTemperatures(
  client: ServiceClient,
  region_names: readonly string[],
  interval: { start_date: string; end_date: string; signal?: AbortSignal | undefined },
): Promise<RegionTemperatures[]> {
  const { start_date, end_date, signal } = interval;
  const candidates = await Promise.all(
    region_names.map((name) => client.searchNames('regions', name, { max: HITS_PER_NAME, signal })),
  );
  const find = (item: string): Promise<Map<number, FoundSeries>> =>
    findRegionSeries(client, {
      item,
      metric: NAMES.metric,
      region_ids: candidates.flat().map(({ id }) => id),
      frequency_id: frequencyId('daily'),
      start_date,
      end_date,
      signal,
    });
  const [tmin, tmax] = await Promise.all([find(NAMES.tmin), find(NAMES.tmax)]);
  const choose = async (name: string, i: number): Promise<RegionTemperatures> => {
    const hits = candidates[i]!;
    const hit = hits.find(({ id }) => tmin.has(id) && tmax.has(id));
    if (hit !== undefined) {
      const taken = { asked: name, ...(await amongNamesakes(client, hit, { name, hits, signal })) };
      return { tmin: tmin.get(hit.id)!, tmax: tmax.get(hit.id)!, taken };
    }
    throw new ArgumentError(
      'region_name',
      `region_name: "${name}" has no daily minimum and maximum temperatures; name a region or station that has both`,
    );
  };
  return Promise.all(region_names.map(choose));
}

/** The hit that is taken for a name. Where other places have the name too, all are called by what contains them. */
async function amongNamesakes(
  client: ServiceClient,
  hit: NamedHit,
  { name, hits, signal }: { name: string; hits: readonly NamedHit[] } & Cancellable,
): Promise<Omit<TakenName, 'asked'>> {
  const places = placesOf(name, hits);
  if (places.every(({ id }) => id === hit.id)) return hit;
  if (places.every(({ id }) => id !== hit.id)) return { ...hit, exact: false };
  const others = places.filter(({ id }) => id !== hit.id);
  const [own, ...namesakes] = await placeNames(client, [hit, ...others], signal);
  return { ...hit, name: own!, namesakes };
}

/** The places that a name means: those that are called so themselves, else those of which it is a synonym or a code. */
function placesOf(name: string, hits: readonly NamedHit[]): readonly NamedHit[] {
  const exact = hits.filter((hit) => hit.exact);
  const names = new Set([name, name.split(',')[0]!].map(foldName));
  const called = exact.filter((hit) => names.has(foldName(hit.name)));
  return called.length > 0 ? called : exact;
}

/** Names by which places of one name can be told apart, such as "Georgia, United States". */
async function placeNames(
  client: ServiceClient,
  hits: readonly NamedHit[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const ids = hits.map(({ id }) => id);
  const regions = await client.lookupList('regions', ids, { signal });
  const within = [...regions.values()].flatMap(({ belongsTo }) => belongsTo);
  const parents = await client.lookupList('regions', within, { signal });
  return hits.map(({ id, name }) => {
    const containing = (regions.get(id)?.belongsTo ?? []).flatMap((one) => parents.get(one) ?? []);
    const [nearest] = containing.sort((a, b) => (b.level ?? 0) - (a.level ?? 0));
    return nearest === undefined ? `${name} (region ${id})` : `${name}, ${nearest.name}`;
  });
}
