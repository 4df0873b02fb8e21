import { createHash } from 'node:crypto';
import type { EntityType } from '../../model/entity.js';
import type { StoredIdentity } from '../../store/store.js';

/** The range of ids made from names, for each type of entity; both ends are included. */
export const NAMED_ID_RANGE = [1_073_741_824, 2_147_483_647] as const;

/** 2^30 + the first 30 bits of the SHA-256 of a name: its id, unless another name has it. */
export function hashName(identity: string): number {
  return NAMED_ID_RANGE[0] + (createHash('sha256').update(identity).digest().readUInt32BE(0) >>> 2);
}

/**
 * The ids of entities that only a name identifies, such as `nass:item:CORN, GRAIN, IRRIGATED`: the hash of the name, or the
 * next free number where another name has that. An id is a store's own, and stays.
 */
export class NamedIds {
  /** By type and name. */
  readonly #ids = new Map<string, number>();
  /** Names by type and id. */
  readonly #owners = new Map<string, string>();
  /** Types with names that a store has. */
  readonly #stored = new Set<string>();

  readonly #hash: (identity: string) => number;

  /** @param hash tests pass one with few values, to make names collide */
  constructor(hash: (identity: string) => number = hashName) {
    this.#hash = hash;
  }

  /** Loads the ids that a store gave to names. */
  load(stored: readonly StoredIdentity[]): void {
    for (const { type, id, identity } of stored) {
      this.#put(type, identity, id);
      this.#stored.add(`${type} ${identity}`);
    }
  }

  /** The id of a name; a new name gets one. */
  id(type: EntityType, identity: string): number {
    const known = this.#ids.get(`${type} ${identity}`);
    if (known !== undefined) return known;
    let id = this.#hash(identity);
    while (this.#owners.has(`${type} ${id}`)) id = id === NAMED_ID_RANGE[1] ? NAMED_ID_RANGE[0] : id + 1;
    this.#put(type, identity, id);
    return id;
  }

  /** The name that has an id. */
  identity(type: EntityType, id: number): string | undefined {
    return this.#owners.get(`${type} ${id}`);
  }

  /** Whether the name was loaded from a store. */
  isStored(type: EntityType, identity: string): boolean {
    return this.#stored.has(`${type} ${identity}`);
  }

  #put(type: EntityType, identity: string, id: number): void {
    this.#ids.set(`${type} ${identity}`, id);
    this.#owners.set(`${type} ${id}`, identity);
  }
}
