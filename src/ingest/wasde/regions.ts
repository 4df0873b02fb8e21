import { REGION_LEVELS, WORLD_REGION_ID } from '../../model/entity.js';
import type { BatchBuilder } from '../batch-builder.js';
import { namedRegionId } from '../regions/ids.js';
import { type CountryNames, foldName } from '../regions/names.js';
import { STATISTICAL_GROUPS } from '../regions/statistical-groups.js';

const GROUPS = new Map(
  STATISTICAL_GROUPS.flatMap((group) =>
    [group.name, ...(group.aliases ?? [])].map((name) => [foldName(name), group]),
  ),
);

/** The region of a row of a world table; puts groups of countries, and regions that only the report knows. */
export function putWasdeRegion(label: string, countries: CountryNames, batch: BatchBuilder): number {
  if (label === 'World') return WORLD_REGION_ID;
  const group = GROUPS.get(foldName(label));
  if (group !== undefined) {
    batch.put('regions', group, `${group.id}`);
    return group.id;
  }
  const country = countries.find(label);
  if (country !== undefined) return country.id;
  const identity = `wasde:region:${foldName(label)}`;
  const id = namedRegionId(identity);
  const region = {
    id,
    name: label,
    definition: `Region of WASDE: ${label}.`,
    level: REGION_LEVELS.other,
    belongsTo: [WORLD_REGION_ID],
    latitude: null,
    longitude: null,
    historical: false,
    aliases: [],
  };
  batch.put('regions', region, identity);
  return id;
}
