import { ITEMS } from '../../vocabulary/items.js';
import { METRICS } from '../../vocabulary/metrics.js';
import { mappingError, readLevel, readObject, readText, readTexts } from '../mapping-json.js';
import { MAX_LATITUDE, MAX_LONGITUDE } from '../places.js';
import type { Definitions, NamedDefinition, RegionDefinition } from './definitions.js';
import { type DefinitionEntry, readEntries } from './entries.js';
import { parseUnits } from './parse-units.js';

const NAMED_KEYS = ['definition', 'aliases', 'within'];

/**
 * Parses `define`: metrics, items, regions and units by name.
 * @param source the name of the mapping's source, to which its own dimensions belong
 * @throws ArgumentError that names the invalid key
 */
export function parseDefinitions(value: unknown, source: string): Definitions {
  const types =
    value === undefined ? {} : readObject(value, 'define', ['metrics', 'items', 'regions', 'units']);
  const definitions = {
    metrics: readEntries(types.metrics, 'define.metrics', NAMED_KEYS).map(readNamed),
    items: readEntries(types.items, 'define.items', NAMED_KEYS).map(readNamed),
    regions: readEntries(types.regions, 'define.regions', REGION_KEYS).map(readRegion),
    units: parseUnits(types.units, source),
  };
  assertNew(definitions.metrics, METRICS, 'metrics');
  assertNew(definitions.items, ITEMS, 'items');
  for (const type of ['metrics', 'items', 'regions'] as const) assertDistinct(definitions[type], type);
  return definitions;
}

function readNamed({ key, name, fields }: DefinitionEntry): NamedDefinition {
  const { definition, aliases, within } = fields;
  return {
    name,
    definition: definition === undefined ? null : readText(definition, `${key}.definition`),
    aliases: aliases === undefined ? [] : readTexts(aliases, `${key}.aliases`),
    within: within === undefined ? null : readText(within, `${key}.within`),
  };
}

const REGION_KEYS = [...NAMED_KEYS, 'level', 'latitude', 'longitude'];

function readRegion(entry: DefinitionEntry): RegionDefinition {
  const { key, fields } = entry;
  const degrees = (name: 'latitude' | 'longitude', max: number): number | null => {
    const value = fields[name];
    if (value === undefined) return null;
    if (typeof value === 'number' && Math.abs(value) <= max) return value;
    throw mappingError(`${key}.${name}`, `must be degrees from -${max} to ${max}`);
  };
  const latitude = degrees('latitude', MAX_LATITUDE);
  const longitude = degrees('longitude', MAX_LONGITUDE);
  if ((latitude === null) !== (longitude === null))
    throw mappingError(key, 'must have both latitude and longitude, or neither');
  const level = readLevel(fields.level ?? (latitude === null ? 'other' : 'coordinate'), `${key}.level`);
  return { ...readNamed(entry), level, latitude, longitude };
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

function assertDistinct(definitions: readonly NamedDefinition[], type: string): void {
  const seen = new Set<string>();
  for (const { name, aliases } of definitions) {
    for (const text of new Set([name, ...aliases].map((each) => each.toLowerCase()))) {
      if (seen.has(text)) throw mappingError(`define.${type}`, `has the name "${text}" twice`);
      seen.add(text);
    }
  }
}
