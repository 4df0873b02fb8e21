import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashName, NAMED_ID_RANGE, NamedIds } from '../../../src/ingest/batch/named-ids.js';
import type { StoredIdentity } from '../../../src/store/store.js';
import { collidingNumbers } from './colliding.js';

/** So few hashes that a handful of names collide again and again. */
const FEW = 64;
const crowded = (identity: string, attempt: number): number =>
  createHash('sha256').update(`${identity} ${attempt}`).digest().readUInt32BE(0) % FEW;

/** The rule, computed from the set of names: all names that share a hash go on to their next one, until none do. */
function idsBySet(names: readonly string[]): Map<string, number> {
  const attempts = new Map(names.map((name) => [name, 0]));
  for (;;) {
    const claims = new Map<number, Set<string>>();
    for (const [name, last] of attempts) {
      for (let attempt = 0; attempt <= last; attempt++) {
        const hash = crowded(name, attempt);
        claims.set(hash, (claims.get(hash) ?? new Set()).add(name));
      }
    }
    const collided = names.filter((name) => claims.get(crowded(name, attempts.get(name)!))!.size > 1);
    if (collided.length === 0)
      return new Map(names.map((name) => [name, crowded(name, attempts.get(name)!)]));
    for (const name of collided) attempts.set(name, attempts.get(name)! + 1);
  }
}

/** Ids after several imports, each of which loads the ids of the one before and applies id changes as a store does. */
function idsByImports(imports: readonly (readonly string[])[]): Map<string, number> {
  let stored: StoredIdentity[] = [];
  for (const names of imports) {
    const ids = new NamedIds(crowded);
    ids.load('items', stored);
    const rows = new Map(stored.map(({ id, identity }) => [identity, id]));
    for (const identity of names) {
      const newId = ids.id('items', identity);
      for (const { from, to } of ids.takeChanges()) {
        const changed = [...rows].find(([, id]) => id === from);
        if (changed === undefined || [...rows.values()].includes(to))
          throw new Error(`${from} cannot become ${to}`);
        rows.set(changed[0], to);
      }
      rows.set(identity, newId);
    }
    stored = [...rows].map(([identity, id]) => ({ id, identity }));
  }
  return new Map(stored.map(({ id, identity }) => [identity, id]));
}

const namesOfSeveralImports = fc
  .uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 14 })
  .chain((names) =>
    fc.tuple(
      fc.constant(names),
      fc.shuffledSubarray(names, { minLength: names.length }),
      fc.array(fc.nat(14), { maxLength: 4 }),
    ),
  );

describe('NamedIds', () => {
  it('computes ids from the set of names, independent of their order and their imports', () => {
    fc.assert(
      fc.property(namesOfSeveralImports, ([names, shuffled, cuts]) => {
        const ends = [...cuts, names.length].sort((a, b) => a - b);
        const imports = ends.map((end, i) => shuffled.slice(ends[i - 1] ?? 0, end));
        const found = idsByImports(imports);
        expect(new Set(found.values()).size).toBe(names.length);
        expect(new Map([...found].sort())).toEqual(new Map([...idsBySet(names)].sort()));
        expect(idsByImports([...imports, names])).toEqual(found);
      }),
      { numRuns: 300 },
    );
  });

  it('gives a name its first hash, which never changes', () => {
    expect(hashName('GHCND:USW00024233')).toBe(1_904_074_621);
    expect(hashName('GHCND:USW00024233', 1)).toBe(1_103_893_019);
    expect(new NamedIds().id('regions', 'GHCND:USW00024233')).toBe(1_904_074_621);
  });

  it('stays in the range for every name and attempt', () => {
    const inRange = (id: number): boolean => id >= NAMED_ID_RANGE[0] && id <= NAMED_ID_RANGE[1];
    fc.assert(fc.property(fc.string(), fc.nat(9), (text, attempt) => inRange(hashName(text, attempt))));
  });

  it('moves two colliding names on and reports the change, separately for each type', () => {
    const name = (number: number): string => `nass:item:CORN, VARIETY ${number}`;
    const [one, other] = collidingNumbers(name).map(name) as [string, string];
    const ids = new NamedIds();
    const first = ids.id('items', one);
    expect(first).toBe(hashName(other));
    expect(ids.id('metrics', other)).toBe(first);
    expect(ids.takeChanges()).toEqual([]);
    expect(ids.id('items', other)).toBe(hashName(other, 1));
    expect(ids.takeChanges()).toEqual([{ type: 'items', from: first, to: hashName(one, 1) }]);
    expect([ids.id('items', one), ids.current('items', first)]).toEqual([hashName(one, 1), hashName(one, 1)]);
    expect(ids.identity('items', first)).toBeUndefined();
  });

  it('keeps the id of a stored name that was not made by hashing', () => {
    const ids = new NamedIds();
    ids.load('items', [{ id: 7, identity: 'own' }]);
    expect([ids.id('items', 'own'), ids.isStored('items', 'own')]).toEqual([7, true]);
  });
});
