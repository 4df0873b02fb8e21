import type { Unit } from '../model/entity.js';
import { type Dimension, UNIT_ROWS } from '../model/unit-rows.js';

const KIND_BY_NAME: ReadonlyMap<string, Dimension> = new Map(
  UNIT_ROWS.flatMap(([, name, namePlural, abbreviation, dimension]) =>
    [abbreviation, namePlural.toLowerCase(), name.toLowerCase()].map((text) => [text, dimension] as const),
  ),
);

/** The temperature scales of our own table: their factor and offset to °C, by name, plural and abbreviation. */
const SCALES: ReadonlyMap<string, readonly [factor: number, offset: number]> = new Map(
  UNIT_ROWS.flatMap(([, name, namePlural, abbreviation, dimension, factor = 1, offset = 0]) =>
    dimension === 'temperature'
      ? [abbreviation, namePlural, name].map((text) => [text.toLowerCase(), [factor, offset]] as const)
      : [],
  ),
);

function scaleOf({ name, namePlural, abbreviation }: Unit): readonly [number, number] | undefined {
  const found = [name, namePlural, abbreviation].find((text) => SCALES.has(text?.toLowerCase()));
  return SCALES.get(found?.toLowerCase() ?? '');
}

/**
 * Whether a service leaves an offset out that cannot be 0, because our own table knows both units as temperature scales: °F
 * without an offset would have the zero of °C.
 */
export function lacksOffset(from: Unit, to: Unit): boolean {
  const [ours, target] = [scaleOf(from), scaleOf(to)];
  const [given, wanted] = [from.baseConvFactor, to.baseConvFactor];
  if (ours === undefined || target === undefined) return false;
  if (given.offset !== undefined && wanted.offset !== undefined) return false;
  const degree = (given.factor ?? 1) / ours[0];
  const zeros = (given.offset ?? 0) - (wanted.offset ?? 0);
  return Math.abs(zeros / degree - (ours[1] - target[1])) > 1;
}

/** What our own table says that a unit measures, by its name, plural or abbreviation; undefined for other units. */
export function kindOf({ name, namePlural, abbreviation }: Unit): Dimension | undefined {
  return (
    KIND_BY_NAME.get(name?.toLowerCase()) ??
    KIND_BY_NAME.get(namePlural?.toLowerCase()) ??
    KIND_BY_NAME.get(abbreviation)
  );
}
