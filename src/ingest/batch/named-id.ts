import { createHash } from 'node:crypto';

/** Where the ids lie that follow from a name alone, each type of entity on its own; both ends belong to it. */
export const NAMED_ID_RANGE = [1_073_741_824, 2_147_483_647] as const;

/**
 * The hashes of a name, from which `NamedIds` takes its id: 2^30 + 30 bits of the SHA-256 of the name, or, from the second
 * attempt on, of the name with the number of the attempt behind a zero.
 */
export function namedId(identity: string, attempt = 0): number {
  const text = attempt === 0 ? identity : `${identity}\0${attempt}`;
  return NAMED_ID_RANGE[0] + (createHash('sha256').update(text).digest().readUInt32BE(0) >>> 2);
}
