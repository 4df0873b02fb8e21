import type { ConversionFactor, REGION_LEVELS } from '../../../model/entity.js';

/** An item, metric or region that a mapping defines under its source. */
export interface NamedDefinition {
  readonly name: string;
  /** Null for a text made from the source's name. */
  readonly definition: string | null;
  readonly aliases: readonly string[];
  /** The name of what contains it, of the same type; null where nothing does. */
  readonly within: string | null;
}

export interface RegionDefinition extends NamedDefinition {
  readonly level: keyof typeof REGION_LEVELS;
  /** Degrees; null where they are unknown, and likewise the longitude. */
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export interface UnitDefinition {
  readonly name: string;
  readonly namePlural: string;
  readonly abbreviation: string;
  /** Undefined where it is not stated; then there is no factor either. */
  readonly dimension: string | undefined;
  readonly baseConvFactor: ConversionFactor;
}

/** What a mapping defines, because the vocabulary does not have it. */
export interface Definitions {
  readonly metrics: readonly NamedDefinition[];
  readonly items: readonly NamedDefinition[];
  readonly regions: readonly RegionDefinition[];
  readonly units: readonly UnitDefinition[];
}
