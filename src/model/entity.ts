import type * as v from 'valibot';
import type { conversionFactor, ENTITY_SCHEMAS, matchedName, periodLength } from './schema/entities.js';

/** The six types of entity that describe a series, by their plural names on the wire. */
export const ENTITY_TYPES = ['metrics', 'items', 'regions', 'frequencies', 'sources', 'units'] as const;
/** One of the six entity types. */
export type EntityType = (typeof ENTITY_TYPES)[number];

/** The entity types that can be searched by name. */
export const SEARCHABLE_TYPES = ['metrics', 'items', 'regions', 'sources'] as const;
/** An entity type that can be searched by name. */
export type SearchableType = (typeof SEARCHABLE_TYPES)[number];

/** The entity types whose entities contain one another, and so have ancestors and descendants. */
export const CONTAINING_TYPES = ['metrics', 'items', 'regions'] as const;
/** An entity type whose entities contain one another. */
export type ContainingType = (typeof CONTAINING_TYPES)[number];

/** Level of each kind of region in the hierarchy, from the top. */
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

/** Returns the name of a region level. Another level, or none, gives undefined. */
export function levelName(level: number | null): keyof typeof REGION_LEVELS | undefined {
  const names = Object.keys(REGION_LEVELS) as (keyof typeof REGION_LEVELS)[];
  return names.find((name) => REGION_LEVELS[name] === level);
}

/**
 * The beginning of names of regions that sum up the counties of a state or a district which a source does not list one
 * by one.
 */
export const OTHER_COUNTIES = 'Other counties';

/**
 * Checks whether a region is the remainder of several places, such as NASS's "Other counties", and must not rank among
 * places.
 */
export function isRest(name: string): boolean {
  return name.startsWith(`${OTHER_COUNTIES}, `);
}

/** The region that is the whole world; also the value of an absent partner region. */
export const WORLD_REGION_ID = 0;
/** Its name, for which it is not looked up: its entity lists all regions. */
export const WORLD_NAME = 'World';

/** A metric, an item or a region: a name, and a place in a hierarchy. */
export interface Containing extends v.InferOutput<(typeof ENTITY_SCHEMAS)['metrics']> {}
/** How something is measured, such as area harvested. */
export interface Metric extends Containing {}
/** A measured product, such as corn. */
export interface Item extends Containing {}
/** Where something is measured. */
export interface Region extends v.InferOutput<(typeof ENTITY_SCHEMAS)['regions']> {}
/** Length of one period: a number of days, months or years. */
export interface PeriodLength extends v.InferOutput<typeof periodLength> {}
/** How often a series has a value: the length of its periods. */
export interface Frequency extends v.InferOutput<(typeof ENTITY_SCHEMAS)['frequencies']> {}
/** Who published the data, and under which terms. */
export interface Source extends v.InferOutput<(typeof ENTITY_SCHEMAS)['sources']> {}
/** `base = value × factor + offset`. A unit whose factor is zero or absent is not convertible. */
export interface ConversionFactor extends v.InferOutput<typeof conversionFactor> {}
/** A unit of values and how it converts to the base of its dimension. */
export interface Unit extends v.InferOutput<(typeof ENTITY_SCHEMAS)['units']> {}

/** The shape of an entity of each type. */
export interface EntityOf {
  /** How something is measured. */
  metrics: Metric;
  /** The measured product. */
  items: Item;
  /** Where something is measured. */
  regions: Region;
  /** How often a series has a value. */
  frequencies: Frequency;
  /** Who published the data. */
  sources: Source;
  /** Units of values. */
  units: Unit;
}

/** An entity of any type. */
export type Entity = EntityOf[EntityType];

/**
 * Display names by id, one map for each entity type; an id without an entry is shown as its number. Partner regions are among
 * the regions.
 */
export interface EntityNames extends Readonly<Record<EntityType, ReadonlyMap<number, string>>> {
  /** Abbreviations of units by id, for the field metadata of wide frames; none by default. */
  unit_abbreviations?: ReadonlyMap<number, string> | undefined;
}

/** One hit of a search; hits are sorted best first. */
export interface SearchHit {
  /** Id of the entity. */
  id: number;
}

/** The direction in which containment is followed. */
export type ContainmentDirection = 'contains' | 'belongs-to';

/** An entity as search reads it. */
export interface SearchDocument {
  /** Id of the entity. */
  readonly id: number;
  /** Its name. */
  readonly name: string;
  /** Other names by which it is found. */
  readonly aliases: readonly string[];
  /** Number of points of the series that have this entity. */
  readonly pointCount: number;
  /** Regions only. */
  readonly level: number | null;
  /** True when the region exists only in historical data. */
  readonly historical: boolean;
}

/** The entity used for a name of the request. */
export interface MatchedName extends v.InferOutput<typeof matchedName> {}

/**
 * The entities used for names that several regions have, that have no exact match, or whose exact match has no data.
 */
export type MatchedNames = {
  [Word in 'metric' | 'item' | 'region' | 'partner_region']?: MatchedName | undefined;
};

/** The same for names of any argument, such as `weighting_crop_name`. */
export type MatchedArguments = { readonly [Argument in string]?: MatchedName | undefined };
