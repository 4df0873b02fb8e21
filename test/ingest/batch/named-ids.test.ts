import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashName, NAMED_ID_RANGE, NamedIds } from '../../../src/ingest/batch/named-ids.js';
import type { StoredIdentity } from '../../../src/store/store.js';

/** So few hashes, at the end of the range, that a handful of names collide again and again. */
const crowded = (identity: string): number => NAMED_ID_RANGE[1] - (identity.length % 3);

const namesOfSeveralImports = fc.array(fc.array(fc.string({ maxLength: 3 }), { maxLength: 6 }), {
  maxLength: 5,
});

describe('NamedIds', () => {
  it('gives each name one id, which no later import changes', () => {
    fc.assert(
      fc.property(namesOfSeveralImports, (imports) => {
        const stored = new Map<string, number>();
        for (const names of imports) {
          const ids = new NamedIds(crowded);
          ids.load(
            'items',
            Array.from(stored, ([identity, id]): StoredIdentity => ({ id, identity })),
          );
          for (const [identity, id] of stored) expect(ids.id('items', identity)).toBe(id);
          for (const identity of names) stored.set(identity, ids.id('items', identity));
        }
        expect(new Set(stored.values()).size).toBe(stored.size);
      }),
    );
  });

  it('gives a name its hash, which never changes', () => {
    expect(hashName('GHCND:USW00024233')).toBe(1_904_074_621);
    expect(new NamedIds().id('regions', 'GHCND:USW00024233')).toBe(1_904_074_621);
  });

  it('stays in the range for every name', () => {
    const inRange = (id: number): boolean => id >= NAMED_ID_RANGE[0] && id <= NAMED_ID_RANGE[1];
    fc.assert(fc.property(fc.string(), (text) => inRange(hashName(text))));
  });

  it('gives the later of two names with one hash the next free number, for each type by itself', () => {
    const ids = new NamedIds(() => NAMED_ID_RANGE[1]);
    expect(['one', 'other', 'third', 'one'].map((name) => ids.id('items', name))).toEqual([
      NAMED_ID_RANGE[1],
      NAMED_ID_RANGE[0],
      NAMED_ID_RANGE[0] + 1,
      NAMED_ID_RANGE[1],
    ]);
    expect(ids.id('metrics', 'other')).toBe(NAMED_ID_RANGE[1]);
    expect(ids.identity('items', NAMED_ID_RANGE[0])).toBe('other');
  });

  it('keeps the id of a stored name that was not made by hashing', () => {
    const ids = new NamedIds();
    ids.load('items', [{ id: 7, identity: 'own' }]);
    expect([ids.id('items', 'own'), ids.isStored('items', 'own')]).toEqual([7, true]);
  });
});
