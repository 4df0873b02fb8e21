import { BASE_UNITS, UNIT_ROWS } from '../../../model/unit-rows.js';
import { ITEMS } from '../../vocabulary/items.js';
import { METRICS } from '../../vocabulary/metrics.js';
import { findUnitId } from '../../vocabulary/units.js';
import type { Definitions, NamedDefinition, RegionDefinition, UnitDefinition } from '../mapping.js';
import { type MappingJson, mappingError } from '../mapping-schema.js';

type DefineJson = NonNullable<MappingJson['define']>;
type Entry<Type extends keyof DefineJson> = NonNullable<DefineJson[Type]>[string];

/**
 * Parses `define`: metrics, items, regions and units by name.
 * @param source the name of the mapping's source, to which its own dimensions belong
 * @throws ArgumentError that names the invalid key
 */
export function parseDefinitions(define: DefineJson = {}, source: string): Definitions {
  const definitions = {
    metrics: Object.entries(define.metrics ?? {}).map(readNamed),
    items: Object.entries(define.items ?? {}).map(readNamed),
    regions: Object.entries(define.regions ?? {}).map(readRegion),
    units: Object.entries(define.units ?? {}).map(([name, unit]) => readUnit(name.trim(), unit, source)),
  };
  assertNew(definitions.metrics, METRICS, 'metrics');
  assertNew(definitions.items, ITEMS, 'items');
  for (const type of ['metrics', 'items', 'regions'] as const) {
    const texts = definitions[type].map(({ name, aliases }) =>
      [name, ...aliases].map((text) => text.toLowerCase()),
    );
    assertDistinct(texts, type);
  }
  assertNewUnits(definitions.units);
  assertDistinct(definitions.units.map(unitTexts), 'units');
  return definitions;
}

function readNamed([name, { definition, aliases = [], within }]: [string, Entry<'items'>]): NamedDefinition {
  return {
    name: name.trim(),
    definition: definition ?? null,
    aliases: [aliases].flat(),
    within: within ?? null,
  };
}

function readRegion([name, region]: [string, Entry<'regions'>]): RegionDefinition {
  const { latitude = null, longitude = null, level = latitude === null ? 'other' : 'coordinate' } = region;
  if ((latitude === null) !== (longitude === null))
    throw mappingError(`define.regions.${name}`, 'must have both latitude and longitude, or neither');
  return { ...readNamed([name, region]), level, latitude, longitude };
}

/** @throws ArgumentError when the vocabulary has the name, so that one name never means two things */
function assertNew(
  definitions: readonly NamedDefinition[],
  vocabulary: readonly { readonly id: number; readonly name: string }[],
  type: string,
): void {
  for (const { name } of definitions) {
    const known = vocabulary.find((entity) => entity.name.toLowerCase() === name.toLowerCase());
    if (known === undefined) continue;
    const what = `is ${known.name} (${known.id}) of the vocabulary; leave the definition out, or choose another name`;
    throw mappingError(`define.${type}.${name}`, what);
  }
}

function assertDistinct(names: readonly (readonly string[])[], type: string): void {
  const seen = new Set<string>();
  for (const text of names.flatMap((texts) => [...new Set(texts)])) {
    if (seen.has(text)) throw mappingError(`define.${type}`, `has the name "${text}" twice`);
    seen.add(text);
  }
}

function assertNewUnits(units: readonly UnitDefinition[]): void {
  for (const unit of units) {
    const known = unitTexts(unit).find((text) => findUnitId(text) !== undefined);
    if (known === undefined) continue;
    const what = `has the name "${known}" of another unit; leave the definition out, or choose another name`;
    throw mappingError(`define.units.${unit.name}`, what);
  }
}

/** The texts that mean a unit, each once. */
export function unitTexts({ name, namePlural, abbreviation }: UnitDefinition): string[] {
  return [...new Set([name, namePlural, abbreviation])];
}

function readUnit(name: string, unit: Entry<'units'>, source: string): UnitDefinition {
  const { plural = name, abbreviation = name, dimension, factor, offset } = unit;
  const key = `define.units.${name}`;
  if (factor !== undefined && dimension === undefined)
    throw mappingError(`${key}.dimension`, 'is missing: say what the factor converts');
  if (factor === undefined && offset !== undefined)
    throw mappingError(`${key}.factor`, 'is missing: an offset needs one');
  return {
    name,
    namePlural: plural,
    abbreviation,
    dimension:
      dimension === undefined
        ? undefined
        : readDimension(dimension, { key, source, hasFactor: factor !== undefined }),
    baseConvFactor: factor === undefined ? {} : offset === undefined ? { factor } : { factor, offset },
  };
}

const DIMENSIONS: ReadonlySet<string> = new Set(UNIT_ROWS.map(([, , , , dimension]) => dimension));

/**
 * A dimension of ours, or one of the source's own: those of two sources have no common base, so their units never convert
 * into each other.
 * @throws ArgumentError when a factor converts to a dimension of ours without a base unit
 */
function readDimension(
  text: string,
  { key, source, hasFactor }: { key: string; source: string; hasFactor: boolean },
): string {
  const name = text.trim().toLowerCase();
  if (Object.hasOwn(BASE_UNITS, name)) return name;
  if (!DIMENSIONS.has(name)) return `${text.trim()} (${source})`;
  if (!hasFactor) return name;
  const known = Object.entries(BASE_UNITS).map(([dimension, unit]) => `${dimension} (${unit})`);
  const what = `has no base unit, so its units do not convert; leave out the factor, name a dimension of your own, or one of ${known.join(', ')}`;
  throw mappingError(`${key}.dimension`, `"${name}" ${what}`);
}
