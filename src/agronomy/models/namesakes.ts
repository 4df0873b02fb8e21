import type { ServiceClient } from '../../client/client.js';
import { foldName, type NamedHit } from '../../client/search.js';
import type { TakenName } from '../../model/entity.js';
import type { Cancellable } from '../../model/progress.js';

/** Search hits of a region name that are looked at. */
export const HITS_PER_NAME = 10;

/** Says which places a name means. */
export function namesakesText({ asked, name, namesakes = [] }: TakenName): string {
  return `"${asked}" is the name of ${[name, ...namesakes].map((one) => `"${one}"`).join(' and ')}`;
}

/** One of the hits as what is taken for a name. Where other places have the name too, all are called by what contains them. */
export async function amongNamesakes(
  client: ServiceClient,
  hit: NamedHit,
  { asked, hits, signal }: { asked: string; hits: readonly NamedHit[] } & Cancellable,
): Promise<TakenName> {
  const places = placesOf(asked, hits);
  if (places.every(({ id }) => id === hit.id)) return { asked, ...hit };
  if (places.every(({ id }) => id !== hit.id)) return { asked, ...hit, exact: false };
  const others = places.filter(({ id }) => id !== hit.id);
  const [own, ...namesakes] = await placeNames(client, [hit, ...others], signal);
  return { asked, ...hit, name: own!, namesakes };
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
