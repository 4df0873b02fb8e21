import { createHash } from 'node:crypto';
import type { EntityType } from '../../model/entity.js';
import type { IdChange } from '../../store/id-change.js';
import type { StoredIdentity } from '../../store/store.js';

/** The range of ids made from names, for each type of entity; both ends are included. */
export const NAMED_ID_RANGE = [1_073_741_824, 2_147_483_647] as const;

/**
 * A hash of a name, from which `NamedIds` makes its id: 2^30 + the first 30 bits of the SHA-256 of the name; for later
 * attempts, of the name, a zero character and the number of the attempt.
 */
export function hashName(identity: string, attempt = 0): number {
  const text = attempt === 0 ? identity : `${identity}\0${attempt}`;
  return NAMED_ID_RANGE[0] + (createHash('sha256').update(text).digest().readUInt32BE(0) >>> 2);
}

/** The types whose entities can be identified by a name alone. */
export const NAMED_TYPES = [
  'units',
  'sources',
  'metrics',
  'items',
  'regions',
] as const satisfies EntityType[];
export type NamedType = (typeof NAMED_TYPES)[number];

type NameHash = (identity: string, attempt: number) => number;

/**
 * The ids of entities that only a name identifies, such as `nass:item:CORN, GRAIN, IRRIGATED`. A name has a sequence of
 * hashes and tries them in order; **its id is the first hash that no other name tries**. When two names collide, both go
 * on to their next hash, and no name ever gets the one on which they collided.
 *
 * So ids depend on the set of names alone, not on the order of imports: a new name can only move others forward, never
 * back, and such a rule has one least solution. The price is that an id may change when a name is added: `takeChanges`
 * returns these changes.
 */
export class NamedIds {
  readonly #types = new Map<EntityType, Names>();
  #changes: IdChange[] = [];

  readonly #hash: NameHash;

  /** @param hash tests pass one with few values, to make names collide */
  constructor(hash: NameHash = hashName) {
    this.#hash = hash;
  }

  /** Whether any id has changed since the ids were loaded. */
  get hasChanges(): boolean {
    return this.#hasChanges;
  }
  #hasChanges = false;

  /** Loads the ids that a store gave to names. */
  load(type: EntityType, stored: readonly StoredIdentity[]): void {
    const names = this.#names(type);
    for (const { id, identity } of stored) names.load(id, identity);
  }

  /** The present id of a name; a new name gets one. */
  id(type: EntityType, identity: string): number {
    return this.#names(type).id(identity);
  }

  /** The name that has an id. */
  identity(type: EntityType, id: number): string | undefined {
    return this.#types.get(type)?.owner(id);
  }

  /** The present id of an entity, by this or an earlier id of it. */
  current(type: EntityType, id: number): number {
    return this.#types.get(type)?.current(id) ?? id;
  }

  /** Whether the name was loaded from a store. */
  isStored(type: EntityType, identity: string): boolean {
    return this.#types.get(type)?.stored.has(identity) ?? false;
  }

  /** The changes since the last call, in order. */
  takeChanges(): IdChange[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  #names(type: EntityType): Names {
    let names = this.#types.get(type);
    if (names === undefined) {
      names = new Names(this.#hash, (from, to) => {
        this.#hasChanges = true;
        this.#changes.push({ type, from, to });
      });
      this.#types.set(type, names);
    }
    return names;
  }
}

/** Names collided on this hash: no name gets it. */
const COLLIDED = Symbol('collided');

/** A stored name whose id is not among so many of its hashes got it by another rule, and keeps it. */
const MAX_ATTEMPTS = 100;

/** The names of one type of entity. */
class Names {
  readonly stored = new Set<string>();
  readonly #slots = new Map<number, string | typeof COLLIDED>();
  readonly #ids = new Map<string, number>();
  /** The number of the hash that a name has as its id, where it is not the first one. */
  readonly #attempts = new Map<string, number>();
  readonly #newIds = new Map<number, number>();

  readonly #hash: NameHash;
  readonly #onChange: (from: number, to: number) => void;

  constructor(hash: NameHash, onChange: (from: number, to: number) => void) {
    this.#hash = hash;
    this.#onChange = onChange;
  }

  load(id: number, identity: string): void {
    const collided: number[] = [];
    let attempt = 0;
    for (; attempt < MAX_ATTEMPTS; attempt++) {
      const slot = this.#hash(identity, attempt);
      if (slot === id) break;
      collided.push(slot);
    }
    if (attempt < MAX_ATTEMPTS) for (const slot of collided) this.#slots.set(slot, COLLIDED);
    this.#assign(identity, id, attempt);
    this.stored.add(identity);
  }

  id(identity: string): number {
    return this.#ids.get(identity) ?? this.#findSlot(identity, 0);
  }

  owner(id: number): string | undefined {
    const owner = this.#slots.get(id);
    return typeof owner === 'string' ? owner : undefined;
  }

  current(id: number): number {
    let current = id;
    for (let next = this.#newIds.get(id); next !== undefined; next = this.#newIds.get(next)) current = next;
    return current;
  }

  #findSlot(identity: string, firstAttempt: number): number {
    for (let attempt = firstAttempt; ; attempt++) {
      const slot = this.#hash(identity, attempt);
      const owner = this.#slots.get(slot);
      if (owner === undefined) {
        this.#assign(identity, slot, attempt);
        return slot;
      }
      if (owner === COLLIDED) continue;
      this.#slots.set(slot, COLLIDED);
      const newId = this.#findSlot(owner, (this.#attempts.get(owner) ?? 0) + 1);
      this.#newIds.set(slot, newId);
      this.#onChange(slot, newId);
    }
  }

  #assign(identity: string, slot: number, attempt: number): void {
    this.#slots.set(slot, identity);
    this.#ids.set(identity, slot);
    if (attempt > 0) this.#attempts.set(identity, attempt);
  }
}
