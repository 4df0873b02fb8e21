import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildContainment, type ContainedPair } from '../../src/store/containment.js';

const ids = fc.integer({ min: -3, max: 6 });
const pairs = fc.array(fc.tuple(ids, ids), { maxLength: 30 });

/** By the definition, an id at a time. */
function neighboursOf(all: readonly ContainedPair[], id: number) {
  const unique = (found: readonly number[]) => [...new Set(found)].sort((a, b) => a - b);
  return {
    contains: unique(all.filter(([parent]) => parent === id).map(([, child]) => child)),
    belongsTo: unique(all.filter(([, child]) => child === id).map(([parent]) => parent)),
  };
}

describe('neighbours', () => {
  it('of a whole containment are entities that exist', () =>
    fc.assert(
      fc.asyncProperty(pairs, fc.uniqueArray(ids), async (all, existing) => {
        const entities = new Map(existing.map((id) => [id, { level: null, historical: false }]));
        const { contains, belongsTo } = await buildContainment(entities, all);
        const known = all.filter(([parent, child]) => entities.has(parent) && entities.has(child));
        for (const id of existing) {
          const expected = neighboursOf(known, id);
          expect(contains.get(id) ?? []).toEqual(expected.contains);
          expect(belongsTo.get(id) ?? []).toEqual(expected.belongsTo);
        }
      }),
    ));
});
