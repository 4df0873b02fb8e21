import { iso31661Alpha2ToNumeric, iso31662 } from 'iso-3166';
import { REGION_LEVELS } from '../../model/entity.js';
import type { NewEntity } from '../../store/store.js';
import { ENGLISH_NAMES } from './english-names.js';
import { countryRegionId, subdivisionRegionId } from './ids.js';

/**
 * The subdivisions of ISO 3166-2 outside the United States, whose states go by FIPS: those directly under a country at
 * the level of provinces, those under another subdivision at the level of districts. No shapes are known of them.
 */
export function subdivisionRegions(): NewEntity<'regions'>[] {
  const outside = iso31662.filter(({ code }) => !code.startsWith('US-'));
  const parents = new Set(outside.map(({ parent }) => parent));
  const parentsFirst = [
    ...outside.filter(({ parent }) => parent.length === 2),
    ...outside.filter(({ parent, code }) => parent.length > 2 && parents.has(code)),
    ...outside.filter(({ parent, code }) => parent.length > 2 && !parents.has(code)),
  ];
  return parentsFirst.map(({ code, parent, name }) => {
    const underCountry = parent.length === 2;
    return {
      id: subdivisionRegionId(code),
      name,
      definition: `Subdivision; ISO 3166-2 ${code}.`,
      level: underCountry ? REGION_LEVELS.province : REGION_LEVELS.district,
      belongsTo: [
        underCountry ? countryRegionId(iso31661Alpha2ToNumeric[parent]!) : subdivisionRegionId(parent),
      ],
      latitude: null,
      longitude: null,
      historical: false,
      aliases: [code, ...(ENGLISH_NAMES[code] ?? [])],
    };
  });
}
