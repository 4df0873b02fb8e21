import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashName, NAMED_ID_RANGE, NamedIds } from '../../../src/ingest/batch/named-ids.js';
import type { StoredIdentity } from '../../../src/store/store.js';
import { collidingNumbers } from './colliding.js';

/** So few ids that a handful of names meet again and again. */
const FEW = 64;
const crowded = (identity: string, attempt: number): number =>
  createHash('sha256').update(`${identity} ${attempt}`).digest().readUInt32BE(0) % FEW;

/** The rule as it is said: names go on together from every place that several come to, until none is. */
function idsBySet(names: readonly string[]): Map<string, number> {
  const attempts = new Map(names.map((name) => [name, 0]));
  for (;;) {
    const visitors = new Map<number, Set<string>>();
    for (const [name, last] of attempts) {
      for (let attempt = 0; attempt <= last; attempt++) {
        const place = crowded(name, attempt);
        visitors.set(place, (visitors.get(place) ?? new Set()).add(name));
      }
    }
    const crowd = names.filter((name) => visitors.get(crowded(name, attempts.get(name)!))!.size > 1);
    if (crowd.length === 0) return new Map(names.map((name) => [name, crowded(name, attempts.get(name)!)]));
    for (const name of crowd) attempts.set(name, attempts.get(name)! + 1);
  }
}

/** Names come in imports, each with what the store knows after the one before; moves are done as a store does them. */
function idsByImports(imports: readonly (readonly string[])[]): Map<string, number> {
  let stored: StoredIdentity[] = [];
  for (const names of imports) {
    const ids = new NamedIds(crowded);
    ids.load('items', stored);
    const rows = new Map(stored.map(({ id, identity }) => [identity, id]));
    for (const identity of names) {
      const given = ids.id('items', identity);
      for (const { from, to } of ids.takeChanges()) {
        const mover = [...rows].find(([, id]) => id === from);
        if (mover === undefined || [...rows.values()].includes(to)) throw new Error(`${from} cannot move`);
        rows.set(mover[0], to);
      }
      rows.set(identity, given);
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
  it('gives ids that follow from the set of names, whatever their order and however they are split', () => {
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

  it('gives a name its first hash, which is the same for ever', () => {
    expect(hashName('GHCND:USW00024233')).toBe(1_904_074_621);
    expect(hashName('GHCND:USW00024233', 1)).toBe(1_103_893_019);
    expect(new NamedIds().id('regions', 'GHCND:USW00024233')).toBe(1_904_074_621);
  });

  it('stays in its range, whatever the name and the attempt', () => {
    const inRange = (id: number): boolean => id >= NAMED_ID_RANGE[0] && id <= NAMED_ID_RANGE[1];
    fc.assert(fc.property(fc.string(), fc.nat(9), (text, attempt) => inRange(hashName(text, attempt))));
  });

  it('sends two names that truly meet on, and says who moved; each type is by itself', () => {
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

  it('leaves a stored name where it is when its id was made otherwise', () => {
    const ids = new NamedIds();
    ids.load('items', [{ id: 7, identity: 'own' }]);
    expect([ids.id('items', 'own'), ids.isStored('items', 'own')]).toEqual([7, true]);
  });
});
