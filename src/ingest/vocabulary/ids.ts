import { NAMED_ID_RANGE } from '../batch/named-id.js';

/**
 * Where the ids of items, metrics and units lie (each type on its own). Both ends belong to a range; ids follow from
 * public codes or names alone, so that they are the same on every machine and for every order of imports.
 */
export const ENTITY_ID_RANGES = {
  /** The shared vocabulary: numbers written in its tables. */
  shared: [1, 99_999],
  /** 10000000 + code of PSD. */
  psd: [10_000_000, 19_999_999],
  /** Hashes of data set and name. */
  named: NAMED_ID_RANGE,
} as const satisfies Readonly<Record<string, readonly [number, number]>>;

export function psdEntityId(code: number): number {
  return within('psd', 10_000_000 + code, code);
}

function within(kind: keyof typeof ENTITY_ID_RANGES, id: number, code: number): number {
  const [first, last] = ENTITY_ID_RANGES[kind];
  if (Number.isInteger(id) && id >= first && id <= last) return id;
  throw new RangeError(`${code} is no code of the kind ${kind}`);
}
