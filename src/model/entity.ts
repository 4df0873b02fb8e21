import type * as v from 'valibot';
import type {
  conversionFactor,
  ENTITY_SCHEMAS,
  matchedName,
  matchedNames,
  periodLength,
} from './schema/entities.js';

/** The six types of entity that describe a series, under their plural names in requests and responses. */
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

/** The name prefix of regions that combine all counties not listed individually by the source. */
export const OTHER_COUNTIES = 'Other counties';

/** Checks whether a region combines several places ("Other counties") and so must not be ranked among single places. */
export function isRest(name: string): boolean {
  return name.startsWith(`${OTHER_COUNTIES}, `);
}

/** The id of the world region. If a series has no partner region, its `partner_region_id` is this id. */
export const WORLD_REGION_ID = 0;
/** The name of the world region. It is a constant because looking up the entity would load the ids of all regions. */
export const WORLD_NAME = 'World';

/** A metric, an item or a region. Entities of these types have names and form hierarchies. */
export interface Containing extends v.InferOutput<(typeof ENTITY_SCHEMAS)['metrics']> {}
/** The quantity that is measured, such as area harvested. */
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

/** Maps each entity type to the TypeScript type of its entities. */
export interface EntityOf {
  /** The quantity that is measured. */
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

/** The direction in which a hierarchy is followed: down to contained entities, or up to containing entities. */
export type ContainmentDirection = 'contains' | 'belongs-to';

/** The fields of an entity that the search index uses. */
export interface SearchDocument {
  /** The entity's id. */
  readonly id: number;
  /** The entity's name. */
  readonly name: string;
  /** Other names, such as synonyms and codes. */
  readonly aliases: readonly string[];
  /** The total number of points in all series that refer to the entity. */
  readonly pointCount: number;
  /** A region's level, from `REGION_LEVELS`; null for entities that are not regions. */
  readonly level: number | null;
  /** Whether the region exists only in historical data. */
  readonly historical: boolean;
}

/** The entity to which a requested name was resolved. */
export interface MatchedName extends v.InferOutput<typeof matchedName> {}

/** The entities chosen for names that are ambiguous, that have no exact match, or whose exact match has no data. */
export type MatchedNames = v.InferOutput<typeof matchedNames>;

/** The entities to which names were resolved, keyed by argument, such as `weighting_crop_name`. */
export type MatchedArguments = { readonly [Argument in string]?: MatchedName | undefined };

/**
 * Splits a unit that includes a factor, such as `1000 ac` or `0.1 °C`, into the plain unit and a function that
 * multiplies values by the factor. Texts and charts show values in the plain unit. The number in `60 kg bag` is not a
 * factor.
 */
export function splitUnit(unit: string): {
  readonly unit: string;
  readonly toPlain: (value: number) => number;
} {
  const [, number, plain] = /^(1000(?= \D)|(?:0\.0*1|100?)(?= \D\S*$)) (.+)$/.exec(unit) ?? [];
  if (plain === undefined) return { unit, toPlain: (value) => value };
  // The product is rounded, because 4.35 times 100 is 434.99999999999994 in binary floating point.
  return { unit: plain, toPlain: (value) => Number((value * Number(number)).toPrecision(15)) };
}
