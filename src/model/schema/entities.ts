import * as v from 'valibot';
import { INTEGER, listOf, withMeaning } from './schemas.js';

const CONTAINING = {
  /** Id of the entity. */
  id: INTEGER,
  /** Name of the entity. */
  name: v.string(),
  /** May contain inline markup tags. */
  definition: v.string(),
  /** Ids of the entities that this one directly contains. */
  contains: v.array(INTEGER),
  /** Ids of the entities that directly contain this one. */
  belongsTo: v.array(INTEGER),
};
const numberOrNull = v.nullable(v.number());
/** A string that the specification does not guarantee. */
const addedText = v.optional(v.string(), '');
const optionalNumber = v.optional(v.number());

export const periodLength = v.object({
  /** Number of days. */
  days: optionalNumber,
  /** Number of months. */
  months: optionalNumber,
  /** Number of years. */
  years: optionalNumber,
});

export const conversionFactor = v.object({
  /** Units of the base for one of this unit; absent or zero when it is not convertible. */
  factor: optionalNumber,
  /** Added after the multiplication; 0 by default. */
  offset: optionalNumber,
});

/** What the client requires of the entities of each type, as `docs/wire.md` says. */
export const ENTITY_SCHEMAS = {
  metrics: v.object(CONTAINING),
  items: v.object(CONTAINING),
  regions: v.object({
    ...CONTAINING,
    definition: addedText,
    /** One of `REGION_LEVELS`; null for none. */
    level: v.nullable(INTEGER),
    /** Degrees north; null where no shape or coordinate is known. */
    latitude: numberOrNull,
    /** Degrees east; null where no shape or coordinate is known. */
    longitude: numberOrNull,
    /** True when the region exists only in historical data, such as a dissolved state. */
    historical: v.boolean(),
  }),
  frequencies: v.object({
    /** Id of the frequency. */
    id: INTEGER,
    /** Name, such as `daily`. */
    name: v.string(),
    /** Abbreviation of the name. */
    abbrev: v.string(),
    /** Length of one period. */
    periodLength,
  }),
  sources: v.object({
    /** Id of the source. */
    id: INTEGER,
    /** Short name. */
    name: v.string(),
    /** Full name. */
    longName: addedText,
    /** Terms of use. */
    licence: addedText,
    /** How to cite it. */
    citation: addedText,
    /** Web page of the source. */
    url: addedText,
  }),
  units: v.pipe(
    v.object({
      /** Id of the unit. */
      id: INTEGER,
      name: v.optional(v.string()),
      /** Plural of the name. */
      namePlural: addedText,
      /** Abbreviation, such as `t/ha`. */
      abbreviation: v.string(),
      /** Conversion to the base of its dimension. */
      baseConvFactor: conversionFactor,
      /** Its dimension, such as `mass per area`; absent where the service does not state one. Only units of one dimension convert. */
      dimension: v.optional(v.string()),
    }),
    v.transform(({ name, ...unit }) => ({
      ...unit,
      /** Name, such as `tonne`. */
      name: name ?? unit.abbreviation,
    })),
  ),
};

/** An entity that a name can mean. */
export const MEANING = {
  /** Id of the entity used. */
  id: INTEGER,
  /** Name of that entity. */
  name: v.string(),
  /** True if the text is its name, a synonym or a code; false for a guess. */
  exact: withMeaning(
    'whether the text is the name, a synonym or a code of the entity; a lesser match is a guess',
    v.boolean(),
  ),
  /** The entity with exactly the requested name, which has no such series. This entity was used instead. */
  instead_of: v.optional(withMeaning('the entity that the name means, unlike this one', v.string())),
  /** The other places that have this name; absent where it is the only one. */
  namesakes: v.optional(withMeaning('the other entities that the name can mean', listOf(v.string()))),
};

export const matchedName = v.object({
  ...MEANING,
  /** The name as it was given. */
  requested: v.string(),
});
