import { hashName } from '../../../src/ingest/batch/batch-builder.js';

/**
 * Two numbers whose identities have the same first hash; among 2^30 hashes, about 40,000 names are enough.
 * @param identity the identity with a number in it
 */
export function collidingNumbers(identity: (number: number) => string): readonly [number, number] {
  const seen = new Map<number, number>();
  for (let number = 0; ; number++) {
    const id = hashName(identity(number));
    const other = seen.get(id);
    if (other !== undefined) return [other, number];
    seen.set(id, number);
  }
}
