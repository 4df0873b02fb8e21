import * as v from 'valibot';
import { INTEGER, listOf, withMeaning } from './schemas.js';

const CONTAINING = {
  /** Id of the entity. */
  id: INTEGER,
  /** Name of the entity. */
  name: v.string(),
  /** The definition; it may contain inline markup tags. */
  definition: v.string(),
  /** Ids of the entities that this one directly contains. */
  contains: v.array(INTEGER),
  /** Ids of the entities that directly contain this one. */
  belongsTo: v.array(INTEGER),
};
const numberOrNull = v.nullable(v.number());
/** A string that the specification does not guarantee; empty when absent. */
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
  /** The number of base units in one of this unit. Absent or zero if the unit is not convertible. */
  factor: optionalNumber,
  /** The number added after the multiplication; default 0. */
  offset: optionalNumber,
});

/** The fields that the client requires in the entities of each type, as specified in `docs/wire.md`. */
export const ENTITY_SCHEMAS = {
  metrics: v.object(CONTAINING),
  items: v.object(CONTAINING),
  regions: v.object({
    ...CONTAINING,
    definition: addedText,
    /** One of `REGION_LEVELS`, or null for no level. */
    level: v.nullable(INTEGER),
    /** Degrees north; null if neither a shape nor coordinates are known. */
    latitude: numberOrNull,
    /** Degrees east; null if neither a shape nor coordinates are known. */
    longitude: numberOrNull,
    /** Whether the region exists only in historical data, such as a dissolved state. */
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
    /** The preferred citation. */
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
      /** Its dimension, such as `mass per area`; absent if unknown. Units convert only within a dimension. */
      dimension: v.optional(v.string()),
    }),
    v.transform(({ name, ...unit }) => ({
      ...unit,
      /** Name, such as `tonne`. */
      name: name ?? unit.abbreviation,
    })),
  ),
};

/** The fields of an entity that a name may mean. */
export const MEANING = {
  /** Id of the entity used. */
  id: INTEGER,
  /** Name of the entity used. */
  name: v.string(),
  /** Whether the text is the name, a synonym or a code of the entity; false for a guess. */
  exact: withMeaning(
    'whether the text is the name, a synonym or a code of the entity; any other match is a guess',
    v.boolean(),
  ),
  /** The entity with exactly the requested name, which has no matching series and was replaced by this entity. */
  instead_of: v.optional(withMeaning('the entity that the name means, unlike this one', v.string())),
  /** The other places with this name; absent if there are none. */
  namesakes: v.optional(withMeaning('the other entities that the name can mean', listOf(v.string()))),
};

export const matchedName = v.object({
  ...MEANING,
  /** The requested name. */
  requested: v.string(),
});
