import { hashName } from '../../../src/ingest/batch/named-ids.js';

/**
 * Two names whose first hashes are the same: of 2^30 possible ones, about 40,000 names are enough to meet.
 * @param identity what the id of the name with a number is made from
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
