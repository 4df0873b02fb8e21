import * as v from 'valibot';
import { INTEGER, listOf, optionalWith, withMeaning } from './schema/schemas.js';

/** The six types of entity that describe a series, under the plural names that requests and responses use. */
export const ENTITY_TYPES = ['metrics', 'items', 'regions', 'frequencies', 'sources', 'units'] as const;
/** One of the six entity types. */
export type EntityType = (typeof ENTITY_TYPES)[number];

/** The entity types that can be searched by name. */
export const SEARCHABLE_TYPES = ['metrics', 'items', 'regions', 'sources'] as const;
/** An entity type that can be searched by name. */
export type SearchableType = (typeof SEARCHABLE_TYPES)[number];

/** The entity types that form hierarchies, in which entities have ancestors and descendants. */
export const CONTAINING_TYPES = ['metrics', 'items', 'regions'] as const;
/** An entity type that forms a hierarchy. */
export type ContainingType = (typeof CONTAINING_TYPES)[number];

/** The level of each kind of region in the hierarchy. Level 1 is the top. */
export const REGION_LEVELS = {
  world: 1,
  continent: 2,
  country: 3,
  province: 4,
  district: 5,
  city: 6,
  market: 7,
  other: 8,
  coordinate: 9,
} as const;

/** Returns the name of a region level, or undefined if the level is null or unknown. */
export function levelName(level: number | null): keyof typeof REGION_LEVELS | undefined {
  const names = Object.keys(REGION_LEVELS) as (keyof typeof REGION_LEVELS)[];
  return names.find((name) => REGION_LEVELS[name] === level);
}

/** The name prefix of a region that combines all counties that the source does not list individually. */
export const OTHER_COUNTIES = 'Other counties';

/** Checks whether a region combines several places ("Other counties") and so must not be ranked among single places. */
export function isRest(name: string): boolean {
  return name.startsWith(`${OTHER_COUNTIES}, `);
}

/** The id of the region for the whole world. A series without a partner region has this id as `partner_region_id`. */
export const WORLD_REGION_ID = 0;
/** The name of the world region. It is a constant because looking up the entity would load the ids of all regions. */
export const WORLD_NAME = 'World';

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
/** A string that the specification does not guarantee. If it is absent, it is read as an empty string. */
const addedText = v.optional(v.string(), '');
const optionalNumber = v.optional(v.number());

const periodLength = v.object({
  /** The number of days. */
  days: optionalNumber,
  /** The number of months. */
  months: optionalNumber,
  /** The number of years. */
  years: optionalNumber,
});

const conversionFactor = v.object({
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

/** A metric, an item or a region, which has a name and a place in a hierarchy. */
export interface Containing extends v.InferOutput<(typeof ENTITY_SCHEMAS)['metrics']> {}
/** How something is measured, such as area harvested. */
export interface Metric extends Containing {}
/** A measured product, such as corn. */
export interface Item extends Containing {}
/** A place where something is measured. */
export interface Region extends v.InferOutput<(typeof ENTITY_SCHEMAS)['regions']> {}
/** The length of one period: a number of days, months or years. */
export interface PeriodLength extends v.InferOutput<typeof periodLength> {}
/** How often a series has a value, expressed as the length of its periods. */
export interface Frequency extends v.InferOutput<(typeof ENTITY_SCHEMAS)['frequencies']> {}
/** The publisher of the data, and the data's terms of use. */
export interface Source extends v.InferOutput<(typeof ENTITY_SCHEMAS)['sources']> {}
/** `base = value × factor + offset`. A unit whose factor is zero or missing cannot be converted. */
export interface ConversionFactor extends v.InferOutput<typeof conversionFactor> {}
/** A unit of measurement, and how to convert its values to the base unit of its dimension. */
export interface Unit extends v.InferOutput<(typeof ENTITY_SCHEMAS)['units']> {}

/** The TypeScript type of the entities of each entity type. */
export interface EntityOf {
  /** How something is measured. */
  metrics: Metric;
  /** The measured product. */
  items: Item;
  /** A place where something is measured. */
  regions: Region;
  /** How often a series has a value. */
  frequencies: Frequency;
  /** The publisher of the data. */
  sources: Source;
  /** A unit of measurement. */
  units: Unit;
}

/** An entity of any type. */
export type Entity = EntityOf[EntityType];

/**
 * The display names of entities by id, for each entity type. The names of partner regions are in `regions`. If an
 * entity has no name, its id is shown.
 */
export interface EntityNames extends Readonly<Record<EntityType, ReadonlyMap<number, string>>> {
  /** Unit abbreviations by id, which are written to the field metadata of wide frames. Empty by default. */
  unit_abbreviations?: ReadonlyMap<number, string> | undefined;
}

/** One search hit. Hits are sorted best first. */
export interface SearchHit {
  /** The entity's id. */
  id: number;
}

/** The direction in which a hierarchy is followed: down to contained entities, or up to containing ones. */
export type ContainmentDirection = 'contains' | 'belongs-to';

/** The fields of an entity that the search index uses. */
export interface SearchDocument {
  /** The entity's id. */
  readonly id: number;
  /** The entity's name. */
  readonly name: string;
  /** Other names, such as synonyms and codes. */
  readonly aliases: readonly string[];
  /** The number of points in the series that have this entity. */
  readonly pointCount: number;
  /** A region's level, from `REGION_LEVELS`; null for entities that are not regions. */
  readonly level: number | null;
  /** Whether the region exists only in historical data. */
  readonly historical: boolean;
}

/** The fields of an entity that a requested name may refer to. */
export const MEANING = {
  /** The entity's id. */
  id: INTEGER,
  /** The entity's name. */
  name: v.string(),
  /** Whether the requested text is the entity's name, a synonym or a code; false for a guess. */
  exact: withMeaning(
    'whether the text is the name, a synonym or a code of the entity; any other match is a guess',
    v.boolean(),
  ),
  /** The name of the entity that the requested name refers to, if this entity replaces it. */
  instead_of: optionalWith('the entity that the name means, unlike this one', v.string()),
  /** The labels of other entities that the requested name may refer to; absent if there are none. */
  namesakes: optionalWith('the other entities that the name can mean', listOf(v.string())),
};

const matchedName = v.object({
  ...MEANING,
  /** The requested name. */
  requested: v.string(),
});
/** The entity to which a requested name was resolved. */
export interface MatchedName extends v.InferOutput<typeof matchedName> {}

export const matchedNames = v.object({
  metric: v.optional(matchedName),
  item: v.optional(matchedName),
  region: v.optional(matchedName),
  partner_region: v.optional(matchedName),
});
/** The entities to which names were resolved, for names that are ambiguous or have no exact match with data. */
export type MatchedNames = v.InferOutput<typeof matchedNames>;

/** The entities to which names were resolved, keyed by argument, such as `weighting_crop_name`. */
export type MatchedArguments = { readonly [Argument in string]?: MatchedName | undefined };
