import type { ConversionFactor } from '../../../model/entity.js';
import { BASE_UNITS, UNIT_ROWS } from '../../../model/unit-rows.js';
import { findUnitId } from '../../vocabulary/units.js';
import { mappingError, readText } from '../mapping-json.js';
import type { UnitDefinition } from './definitions.js';
import { type DefinitionEntry, readEntries } from './entries.js';

const UNIT_KEYS = ['plural', 'abbreviation', 'dimension', 'factor', 'offset'];

/** @throws ArgumentError that names the invalid key, or the unit that exists already */
export function parseUnits(value: unknown, source: string): UnitDefinition[] {
  const units = readEntries(value, 'define.units', UNIT_KEYS).map((entry) => readUnit(entry, source));
  const seen = new Set<string>();
  for (const unit of units) {
    const key = `define.units.${unit.name}`;
    for (const text of unitTexts(unit)) {
      if (findUnitId(text) !== undefined)
        throw mappingError(
          key,
          `has the name "${text}" of another unit; leave the definition out, or choose another name`,
        );
      if (seen.has(text)) throw mappingError('define.units', `has the name "${text}" twice`);
      seen.add(text);
    }
  }
  return units;
}

/** The texts that mean a unit, each once. */
export function unitTexts({ name, namePlural, abbreviation }: UnitDefinition): string[] {
  return [...new Set([name, namePlural, abbreviation])];
}

function readUnit({ key, name, fields }: DefinitionEntry, source: string): UnitDefinition {
  const text = (value: unknown, field: string) =>
    value === undefined ? name : readText(value, `${key}.${field}`);
  const { dimension, factor } = fields;
  if (factor !== undefined && dimension === undefined)
    throw mappingError(`${key}.dimension`, 'is missing: say what the factor converts');
  if (factor === undefined && fields.offset !== undefined)
    throw mappingError(`${key}.factor`, 'is missing: an offset needs one');
  return {
    name,
    namePlural: text(fields.plural, 'plural'),
    abbreviation: text(fields.abbreviation, 'abbreviation'),
    dimension:
      dimension === undefined
        ? undefined
        : readDimension(readText(dimension, `${key}.dimension`), {
            key,
            source,
            hasFactor: factor !== undefined,
          }),
    baseConvFactor: readFactor(factor, fields.offset, key),
  };
}

function readFactor(factor: unknown, offset: unknown, key: string): ConversionFactor {
  if (factor === undefined) return {};
  if (!isNumber(factor) || factor === 0) throw mappingError(`${key}.factor`, 'must be a number other than 0');
  if (offset === undefined) return { factor };
  if (!isNumber(offset)) throw mappingError(`${key}.offset`, 'must be a number');
  return { factor, offset };
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

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
