import { createHash } from 'node:crypto';
import type { EntityType } from '../../model/entity.js';
import type { IdChange } from '../../store/id-change.js';
import type { StoredIdentity } from '../../store/store.js';

/** Where the ids lie that follow from a name alone, each type of entity on its own; both ends belong to it. */
export const NAMED_ID_RANGE = [1_073_741_824, 2_147_483_647] as const;

/**
 * The hashes of a name, from which `NamedIds` takes its id: 2^30 + 30 bits of the SHA-256 of the name, or, from the second
 * attempt on, of the name with the number of the attempt behind a zero.
 */
export function hashName(identity: string, attempt = 0): number {
  const text = attempt === 0 ? identity : `${identity}\0${attempt}`;
  return NAMED_ID_RANGE[0] + (createHash('sha256').update(text).digest().readUInt32BE(0) >>> 2);
}

/** The types of which entities are told apart by names. */
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
 * The ids of entities that only a name tells apart, such as `nass:item:CORN, GRAIN, IRRIGATED`. A name has a row of
 * hashes, and **its id is the first of them that no other name comes to**, where a name comes to its hashes in turn until
 * that one. So where two names meet both go on, neither keeps the place, and nobody gets it afterwards.
 *
 * This depends on the set of names alone and not on the order in which they came: every name that joins can only make
 * others go on, never back, and such a rule has one least solution. The price is that an entity may have to move when
 * another joins: `takeChanges` tells.
 */
export class NamedIds {
  readonly #types = new Map<EntityType, Names>();
  #changes: IdChange[] = [];

  readonly #hash: NameHash;

  /** @param hash tests give one with few values, so that names meet */
  constructor(hash: NameHash = hashName) {
    this.#hash = hash;
  }

  /** Some have moved since the beginning. */
  get hasChanges(): boolean {
    return this.#hasChanges;
  }
  #hasChanges = false;

  /** Takes in what a store knows. */
  load(type: EntityType, stored: readonly StoredIdentity[]): void {
    const names = this.#names(type);
    for (const { id, identity } of stored) names.load(id, identity);
  }

  /** The id of a name, the same as before unless it moved. */
  id(type: EntityType, identity: string): number {
    return this.#names(type).id(identity);
  }

  /** The name whose id it is. */
  identity(type: EntityType, id: number): string | undefined {
    return this.#types.get(type)?.owner(id);
  }

  /** The present id of what had an id before. */
  current(type: EntityType, id: number): number {
    return this.#types.get(type)?.current(id) ?? id;
  }

  /** Whether a store knew the name from the beginning. */
  isStored(type: EntityType, identity: string): boolean {
    return this.#types.get(type)?.stored.has(identity) ?? false;
  }

  /** The moves since the last time, in order. */
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

/** Names have met here: nobody's place. */
const COLLIDED = Symbol('contested');

/** A stored name whose id is none of its first hashes got it by another rule, and stays where it is. */
const MAX_ATTEMPTS = 100;

/** The names of one type. */
class Names {
  readonly stored = new Set<string>();
  readonly #slots = new Map<number, string | typeof COLLIDED>();
  readonly #ids = new Map<string, number>();
  /** Only of names that do not stand at their first hash. */
  readonly #attempts = new Map<string, number>();
  readonly #newIds = new Map<number, number>();

  readonly #hash: NameHash;
  readonly #onChange: (from: number, to: number) => void;

  constructor(hash: NameHash, onChange: (from: number, to: number) => void) {
    this.#hash = hash;
    this.#onChange = onChange;
  }

  load(id: number, identity: string): void {
    const passed: number[] = [];
    let attempt = 0;
    for (; attempt < MAX_ATTEMPTS; attempt++) {
      const place = this.#hash(identity, attempt);
      if (place === id) break;
      passed.push(place);
    }
    if (attempt < MAX_ATTEMPTS) for (const place of passed) this.#slots.set(place, COLLIDED);
    this.#assign(identity, id, attempt);
    this.stored.add(identity);
  }

  id(identity: string): number {
    return this.#ids.get(identity) ?? this.#place(identity, 0);
  }

  owner(id: number): string | undefined {
    const owner = this.#slots.get(id);
    return typeof owner === 'string' ? owner : undefined;
  }

  current(id: number): number {
    let now = id;
    for (let next = this.#newIds.get(now); next !== undefined; next = this.#newIds.get(now)) now = next;
    return now;
  }

  #place(identity: string, first: number): number {
    for (let attempt = first; ; attempt++) {
      const place = this.#hash(identity, attempt);
      const owner = this.#slots.get(place);
      if (owner === undefined) {
        this.#assign(identity, place, attempt);
        return place;
      }
      if (owner === COLLIDED) continue;
      this.#slots.set(place, COLLIDED);
      const to = this.#place(owner, (this.#attempts.get(owner) ?? 0) + 1);
      this.#newIds.set(place, to);
      this.#onChange(place, to);
    }
  }

  #assign(identity: string, place: number, attempt: number): void {
    this.#slots.set(place, identity);
    this.#ids.set(identity, place);
    if (attempt > 0) this.#attempts.set(identity, attempt);
  }
}
