import { WORLD_REGION_ID } from '../../model/entity.js';
import type { NewEntity } from '../../store/store.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { continentRegionId, REGION_ID_RANGES } from './ids.js';
import { type CountryNames, foldName } from './names.js';
import { otherRegion } from './new-regions.js';

type GroupRow = readonly [
  number: number,
  name: string,
  belongsTo: number,
  definition: string,
  aliases?: string,
];

const EUROPE = continentRegionId('EU');
const ASIA = continentRegionId('AS');
const AFRICA = continentRegionId('AF');

/** Groups of countries of USDA's reports that have no UN M49 code; the numbers never change. */
const ROWS: readonly GroupRow[] = [
  [1, 'World less China', WORLD_REGION_ID, 'All countries but China.'],
  [2, 'Total foreign', WORLD_REGION_ID, 'All countries but the United States.'],
  [
    3,
    'Major exporters',
    WORLD_REGION_ID,
    'The main exporting countries of a commodity, the United States left out; WASDE lists them in a note under each table.',
  ],
  [
    4,
    'Major importers',
    WORLD_REGION_ID,
    'The main importing countries of a commodity; WASDE lists them in a note under each table.',
  ],
  [
    5,
    'European Union',
    EUROPE,
    'The member states at the time; USDA counts the present members for all years.',
    'EU|EU-27|European Union (27)',
  ],
  [
    6,
    'European Union, 15 members',
    EUROPE,
    'The fifteen member states of 1995 to 2004.',
    'EU-15|European Union - 15',
  ],
  [
    7,
    'Southeast Asia',
    ASIA,
    'Indonesia, Malaysia, the Philippines, Thailand and Vietnam, as WASDE groups them.',
    'Selected Southeast Asia',
  ],
  [
    8,
    'Former Soviet Union, 12 states',
    ASIA,
    'The states of the former Soviet Union without Estonia, Latvia and Lithuania.',
    'FSU-12|Former Soviet Union - 12',
  ],
  [9, 'Other Europe', EUROPE, 'European countries outside the European Union and the former Soviet Union.'],
  [
    10,
    'Selected other',
    WORLD_REGION_ID,
    'Countries that USDA lists beside the main exporters and importers.',
    'Selected Other',
  ],
  [
    11,
    'North Africa',
    AFRICA,
    'Algeria, Egypt, Libya, Morocco and Tunisia, as WASDE groups them.',
    'N. Africa',
  ],
  [
    12,
    'Middle East, selected',
    ASIA,
    'Countries of the Middle East that WASDE groups.',
    'Sel. Mideast|Selected Mideast|Selected Middle East',
  ],
  [13, 'Sub-Saharan Africa', AFRICA, 'African countries south of the Sahara.'],
];

/** The groups as regions of the level "other". */
const STATISTICAL_GROUPS: readonly NewEntity<'regions'>[] = ROWS.map(
  ([number, name, belongsTo, definition, aliases]) => ({
    id: REGION_ID_RANGES.statisticalGroup[0] + number,
    ...otherRegion({ name, definition, belongsTo: [belongsTo], aliases: aliases?.split('|') }),
  }),
);

const GROUPS_BY_NAME = new Map(
  STATISTICAL_GROUPS.flatMap((group) =>
    [group.name, ...(group.aliases ?? [])].map((name) => [foldName(name), group] as const),
  ),
);

/**
 * The region of a name in a source's table: the world, a country, a group of countries, or else a region that only the
 * source has, in the world. Adds groups and regions of the source.
 */
export function resolveRegionName(
  name: string,
  { countries, batch, dataset }: { countries: CountryNames; batch: BatchBuilder; dataset: string },
): number {
  const folded = foldName(name);
  if (folded === 'world') return WORLD_REGION_ID;
  const group = GROUPS_BY_NAME.get(folded);
  if (group !== undefined) {
    batch.addEntity('regions', group);
    return group.id;
  }
  const country = countries.find(name);
  if (country !== undefined) return country.id;
  const definition = `Region as the data set "${dataset}" names it: ${name}.`;
  const region = otherRegion({ name, definition, belongsTo: [WORLD_REGION_ID] });
  return batch.addNamedEntity('regions', `${dataset}:region:${folded}`, region);
}
