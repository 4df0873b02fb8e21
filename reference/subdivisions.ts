import { iso31661Alpha2ToNumeric, iso31662 } from 'iso-3166';
import { countryRegionId, subdivisionRegionId } from '../src/ingest/regions/ids.js';
import { REGION_LEVELS } from '../src/model/entity.js';
import type { NewEntity } from '../src/store/store.js';
import { NO_CENTRE } from './centre.js';
import codes from './subdivision-codes.json' with { type: 'json' };

/**
 * Returns the subdivisions of ISO 3166-2, without the United States, whose states have FIPS codes, and without those that
 * ISO 3166-1 lists as countries. Those of a country have the level "province", those of another subdivision the level
 * "district". They have no shapes.
 */
export function subdivisionRegions(): NewEntity<'regions'>[] {
  const outside = iso31662.filter(({ code }) => !code.startsWith('US-') && !COUNTRY_CODES.has(code));
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
      ...NO_CENTRE,
      historical: false,
      aliases: [code, ...(ENGLISH_NAMES[code] ?? [])],
    };
  });
}

/** Codes of ISO 3166-2 for places that have a code of ISO 3166-1 too, and the second code. GB-UKM is the whole country. */
const COUNTRY_CODES: ReadonlyMap<string, string> = new Map(Object.entries(codes.sameAsCountry));

/** The codes of ISO 3166-2 by the code of ISO 3166-1 that the same place has. */
export const SUBDIVISION_CODES: ReadonlyMap<string, string> = new Map(
  [...COUNTRY_CODES].map(([subdivision, country]) => [country, subdivision]),
);

/**
 * English names of subdivisions that ISO 3166-2 lists in another language, by code: those that a search by spelling does
 * not find, mostly of countries that report crops by subdivision.
 */
const ENGLISH_NAMES: Readonly<Record<string, readonly string[]>> = {
  'AT-2': ['Carinthia'],
  'AT-3': ['Lower Austria'],
  'AT-4': ['Upper Austria'],
  'AT-6': ['Styria'],
  'AT-7': ['Tyrol'],
  'AT-9': ['Vienna'],
  'BE-VLG': ['Flanders'],
  'BE-WAL': ['Wallonia'],
  'CN-GX': ['Guangxi'],
  'CN-NM': ['Inner Mongolia'],
  'CN-NX': ['Ningxia'],
  'CN-XJ': ['Xinjiang'],
  'CN-XZ': ['Tibet'],
  'DE-BY': ['Bavaria'],
  'DE-HE': ['Hesse'],
  'DE-NI': ['Lower Saxony'],
  'DE-NW': ['North Rhine-Westphalia'],
  'DE-RP': ['Rhineland-Palatinate'],
  'DE-SN': ['Saxony'],
  'DE-ST': ['Saxony-Anhalt'],
  'DE-TH': ['Thuringia'],
  'ES-AN': ['Andalusia'],
  'ES-CL': ['Castile and León'],
  'ES-CM': ['Castile-La Mancha'],
  'ES-CN': ['Canary Islands'],
  'ES-CT': ['Catalonia'],
  'ES-IB': ['Balearic Islands'],
  'ES-NC': ['Navarre'],
  'ES-PV': ['Basque Country'],
  'ES-VC': ['Valencian Community'],
  'FR-20R': ['Corsica'],
  'FR-BFC': ['Burgundy'],
  'FR-BRE': ['Brittany'],
  'FR-NOR': ['Normandy'],
  'IT-21': ['Piedmont'],
  'IT-23': ['Aosta Valley'],
  'IT-25': ['Lombardy'],
  'IT-52': ['Tuscany'],
  'IT-75': ['Apulia'],
  'IT-82': ['Sicily'],
  'IT-88': ['Sardinia'],
  'MX-CMX': ['Mexico City'],
  'MX-MEX': ['State of Mexico'],
  'PK-PB': ['Punjab'],
  'PL-02': ['Lower Silesia'],
  'PL-12': ['Lesser Poland'],
  'PL-14': ['Masovia', 'Mazovia'],
  'PL-22': ['Pomerania'],
  'PL-24': ['Silesia'],
  'PL-30': ['Greater Poland'],
  'PL-32': ['West Pomerania'],
  'RU-MOW': ['Moscow'],
  'RU-MOS': ['Moscow Oblast'],
  'RU-SA': ['Yakutia'],
  'RU-SPE': ['Saint Petersburg'],
  'UA-18': ['Zhytomyr'],
  'UA-23': ['Zaporizhzhia'],
  'UA-26': ['Ivano-Frankivsk'],
  'UA-43': ['Crimea'],
  'UA-48': ['Mykolaiv'],
  'UA-51': ['Odesa', 'Odessa'],
  'UA-59': ['Sumy'],
  'UA-63': ['Kharkiv'],
  'UA-71': ['Cherkasy'],
  'UA-77': ['Chernivtsi'],
};
