import type { TCountryCode } from 'countries-list';
import { iso31663 } from 'iso-3166';
import { REGION_LEVELS } from '../../model/entity.js';
import type { Atlas } from './atlas.js';
import { combinedCentre, type TreeRegion } from './centre.js';
import { continentRegions, countryContinents, distinctAliases } from './countries.js';
import { continentRegionId, countryRegionId, formerAreaRegionId, formerCountryRegionId } from './ids.js';

type FormerEntry = (typeof iso31663)[number];

/** Common names that ISO 3166-3 does not list. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  SUHH: ['Soviet Union', 'Union of Soviet Socialist Republics'],
  DDDE: ['East Germany', 'GDR'],
  YUCS: ['Federal Republic of Yugoslavia'],
  YDYE: ['South Yemen', 'Democratic Yemen'],
  BUMM: ['Union of Burma'],
};

/**
 * The countries of ISO 3166-3 as historical regions, on the continents of their successors. A country that was split or
 * renamed has the combined centre of its successors; one that became part of another has none.
 */
export function formerCountryRegions(atlas: Atlas): TreeRegion[] {
  return iso31663.map((entry) => {
    const { alpha4, type, from } = entry;
    const successors = currentSuccessors(entry);
    const shapes = () => successors.map(({ numeric }) => atlas.get(countryRegionId(numeric))?.shapes ?? []);
    return {
      id: formerCountryRegionId(alpha4),
      name: from.name,
      definition: `Former country; ISO 3166-3 ${alpha4}. ${SUCCESSION[type]} ${successors.map(({ name }) => name).join(', ')}.`,
      level: REGION_LEVELS.country,
      belongsTo: [...new Set(successors.flatMap(({ alpha2 }) => countryContinents(alpha2 as TCountryCode)))],
      centre: () => combinedCentre(type === 'merge' ? [] : shapes()),
      historical: true,
      aliases: distinctAliases(from.name, [alpha4, from.alpha3, ...(OTHER_NAMES[alpha4] ?? [])]),
    };
  });
}

const SUCCESSION = { split: 'Split into', change: 'Renamed:', merge: 'Became part of' } as const;

/** Successors that exist today; former countries among them are replaced by their own successors. */
function currentSuccessors(entry: FormerEntry): FormerEntry['to'] {
  return entry.to.flatMap((successor) => {
    if (successor.state === 'assigned') return [successor];
    const next = iso31663.find(({ from }) => from.alpha3 === successor.alpha3);
    return next === undefined ? [] : currentSuccessors(next);
  });
}

type AreaRow = readonly [
  m49: number,
  name: string,
  continent: 'AF' | 'AS' | 'EU',
  successors: number[],
  aliases: string[],
];

const AREAS: readonly AreaRow[] = [
  [58, 'Belgium-Luxembourg', 'EU', [56, 442], []],
  [230, 'Ethiopia (before 1993)', 'AF', [231, 232], ['Ethiopia PDR']],
  [280, 'Germany, Federal Republic of (before 1990)', 'EU', [], ['West Germany', 'FRG']],
  [736, 'Sudan (before 2011)', 'AF', [729, 728], ['Sudan (former)', 'Former Sudan']],
  [886, 'Yemen Arab Republic', 'AS', [], ['North Yemen']],
  [
    890,
    'Yugoslavia (before 1992)',
    'EU',
    [70, 191, 499, 688, 705, 807],
    ['Yugoslav SFR', 'SFR Yugoslavia', 'Former Yugoslavia'],
  ],
];

/** Former areas of statistics that are not in ISO 3166-3, as historical regions. */
export function formerAreaRegions(atlas: Atlas): TreeRegion[] {
  const [template] = continentRegions();
  return AREAS.map(([m49, name, continent, successors, aliases]) => ({
    ...template!,
    id: formerAreaRegionId(m49),
    name,
    definition: `Former area; numbered ${m49} in UN statistics.`,
    level: REGION_LEVELS.country,
    belongsTo: [continentRegionId(continent)],
    centre: () => combinedCentre(successors.map((id) => atlas.get(id)?.shapes ?? [])),
    historical: true,
    aliases,
  }));
}
