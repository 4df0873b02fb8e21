import { regionIdKind } from '../src/ingest/regions/ids.js';
import { REGION_LEVELS } from '../src/model/entity.js';
import { groupedBy } from '../src/model/grouping.js';
import { plainName } from '../src/model/names/plain-name.js';
import type { NewEntity } from '../src/store/store.js';
import codes from './subdivision-codes.json' with { type: 'json' };

type NewRegion = NewEntity<'regions'>;

/**
 * Gives each region a name that no other has, up to case, accents and punctuation. Of regions of one name, a present country
 * keeps it, else a state of the United States. The others get the name of the region that contains them: "Western, Ghana".
 * A former country is "East Timor (former)". The shared name becomes an alias.
 * @throws Error when names stay equal
 */
export function withUniqueNames(regions: readonly NewRegion[]): NewRegion[] {
  const sharing = groupedBy(regions, ({ name }) => plainName(name));
  const byId = new Map(regions.map((region) => [region.id, region]));
  const unique = regions.map((region) => {
    const others = sharing.get(plainName(region.name))!;
    const keeps = others.find(isPresentCountry) ?? others.find(isUsState);
    if (others.length === 1 || region === keeps) return region;
    const name = region.historical ? `${region.name} (former)` : nameWithin(region, byId);
    return { ...region, name, aliases: [...(region.aliases ?? []), region.name] };
  });
  const repeated = [...groupedBy(unique, ({ name }) => plainName(name)).values()].filter(
    ({ length }) => length > 1,
  );
  if (repeated.length === 0) return unique;
  throw new Error(`regions of one name: ${repeated.flat().map(({ name, id }) => `${name} (${id})`)}`);
}

const isPresentCountry = ({ level, historical }: NewRegion) =>
  level === REGION_LEVELS.country && historical !== true;
const isUsState = ({ id }: NewRegion) => regionIdKind(id) === 'usState';

function nameWithin(
  { name, aliases = [], belongsTo }: NewRegion,
  byId: ReadonlyMap<number, NewRegion>,
): string {
  const kind = aliases.map((alias) => KINDS.get(alias)).find((word) => word !== undefined);
  return `${name}${kind === undefined ? '' : ` ${kind}`}, ${byId.get(belongsTo[0]!)!.name}`;
}

/** The categories of ISO 3166-2 of subdivisions that share their name with another of the same country, by code. */
const KINDS: ReadonlyMap<string, string> = new Map(Object.entries(codes.kinds));
