import { iso31661Alpha2ToNumeric, iso31662 } from 'iso-3166';
import { REGION_LEVELS } from '../../model/entity.js';
import { NO_CENTRE, type TreeRegion } from './centre.js';
import { ENGLISH_NAMES } from './english-names.js';
import { countryRegionId, subdivisionRegionId } from './ids.js';

/**
 * The subdivisions of ISO 3166-2, without the United States, whose states have FIPS codes. Those of a country have the
 * level "province", those of another subdivision the level "district". They have no shapes.
 */
export function subdivisionRegions(): TreeRegion[] {
  const outside = iso31662.filter(({ code }) => !code.startsWith('US-'));
  const parents = new Set(outside.map(({ parent }) => parent));
  const parentsFirst = [
    ...outside.filter(({ parent }) => parent.length === 2),
    ...outside.filter(({ parent, code }) => parent.length > 2 && parents.has(code)),
    ...outside.filter(({ parent, code }) => parent.length > 2 && !parents.has(code)),
  ];
  return parentsFirst.map(({ code, parent, name }) => {
    const isOfCountry = parent.length === 2;
    return {
      id: subdivisionRegionId(code),
      name,
      definition: `Subdivision; ISO 3166-2 ${code}.`,
      level: isOfCountry ? REGION_LEVELS.province : REGION_LEVELS.district,
      belongsTo: [
        isOfCountry ? countryRegionId(iso31661Alpha2ToNumeric[parent]!) : subdivisionRegionId(parent),
      ],
      centre: () => NO_CENTRE,
      historical: false,
      aliases: [code, ...(ENGLISH_NAMES[code] ?? [])],
    };
  });
}
