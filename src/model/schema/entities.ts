import * as v from 'valibot';
import { INTEGER, listOf, optionalWith, withMeaning } from './schemas.js';

// Kept out of `entity.ts`, which the page's first script loads: valibot would add 5 kB to the script's 32 kB.
const CONTAINING = {
  /** The entity's id. */
  id: INTEGER,
  /** The entity's name. */
  name: v.string(),
  /** The entity's definition, which may contain inline markup tags. */
  definition: v.string(),
  /** The ids of the entities that this entity directly contains. */
  contains: v.array(INTEGER),
  /** The ids of the entities that directly contain this entity. */
  belongsTo: v.array(INTEGER),
};
const numberOrNull = v.nullable(v.number());
/** A string that the specification does not guarantee. An absent string is read as an empty one. */
const addedText = v.optional(v.string(), '');
const optionalNumber = v.optional(v.number());

export const periodLength = v.object({
  /** The number of days. */
  days: optionalNumber,
  /** The number of months. */
  months: optionalNumber,
  /** The number of years. */
  years: optionalNumber,
});

export const conversionFactor = v.object({
  /** How many base units equal one of this unit. Absent or zero if the unit cannot be converted. */
  factor: optionalNumber,
  /** The number added after multiplying by the factor; default 0. */
  offset: optionalNumber,
});

/** The fields that the client expects in entities of each type, as specified in `docs/wire.md`. */
export const ENTITY_SCHEMAS = {
  metrics: v.object(CONTAINING),
  items: v.object(CONTAINING),
  regions: v.object({
    ...CONTAINING,
    definition: addedText,
    /** The region's level, from `REGION_LEVELS`; null if it has none. */
    level: v.nullable(INTEGER),
    /** The latitude in degrees north; null if the region's location is unknown. */
    latitude: numberOrNull,
    /** The longitude in degrees east; null if the region's location is unknown. */
    longitude: numberOrNull,
    /** Whether the region exists only in historical data, such as a dissolved state. */
    historical: v.boolean(),
  }),
  frequencies: v.object({
    /** The frequency's id. */
    id: INTEGER,
    /** The name, such as `daily`. */
    name: v.string(),
    /** The abbreviated name. */
    abbrev: v.string(),
    /** The length of one period. */
    periodLength,
  }),
  sources: v.object({
    /** The source's id. */
    id: INTEGER,
    /** The short name. */
    name: v.string(),
    /** The full name. */
    longName: addedText,
    /** The terms of use. */
    licence: addedText,
    /** The preferred citation. */
    citation: addedText,
    /** The address of the source's web page. */
    url: addedText,
  }),
  units: v.pipe(
    v.object({
      /** The unit's id. */
      id: INTEGER,
      name: v.optional(v.string()),
      /** The plural of the name. */
      namePlural: addedText,
      /** The abbreviation, such as `t/ha`. */
      abbreviation: v.string(),
      /** How to convert values to the base unit of the dimension. */
      baseConvFactor: conversionFactor,
      /** The dimension, such as `mass per area`; absent if unknown. Values can be converted only within a dimension. */
      dimension: v.optional(v.string()),
    }),
    v.transform(({ name, ...unit }) => ({
      ...unit,
      /** The name, such as `tonne`. */
      name: name ?? unit.abbreviation,
    })),
  ),
};

/** The fields of an entity that a requested name may refer to. */
export const MEANING = {
  /** The entity's id. */
  id: INTEGER,
  /** The entity's name. */
  name: v.string(),
  /** Whether the requested text is the entity's name or one of its synonyms or codes; false for a guess. */
  exact: withMeaning(
    'whether the text is the name, a synonym or a code of the entity; any other match is a guess',
    v.boolean(),
  ),
  /** The name of the entity that the requested name refers to, if this match is a different entity. */
  instead_of: optionalWith('the entity that the name means, unlike this one', v.string()),
  /** The labels of other entities that the requested name may refer to; absent if there are none. */
  namesakes: optionalWith('the other entities that the name can mean', listOf(v.string())),
};

export const matchedName = v.object({
  ...MEANING,
  /** The requested name. */
  requested: v.string(),
});

export const matchedNames = v.object({
  metric: v.optional(matchedName),
  item: v.optional(matchedName),
  region: v.optional(matchedName),
  partner_region: v.optional(matchedName),
});
