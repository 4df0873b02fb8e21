import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SearchDocument } from '../../src/model/entity.js';
import { fold } from '../../src/search/fold.js';
import { buildNameIndex } from '../../src/search/indexing/name-index.js';
import {
  decodeNameIndex,
  encodeNameIndex,
  FORMAT,
  loadSearchIndex,
  type NameStore,
} from '../../src/search/load-index.js';
import { Query } from '../../src/search/match.js';
import { SearchIndex } from '../../src/search/search-index.js';
import { SYNONYMS } from '../../src/search/words.js';

const anyDocument = fc.record<SearchDocument>({
  id: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  name: fc.oneof(fc.constantFrom('Corn', 'Côte d’Ivoire', 'Иваново'), fc.string({ maxLength: 12 })),
  aliases: fc.array(fc.oneof(fc.constant('Maize'), fc.string({ unit: 'grapheme', maxLength: 8 })), {
    maxLength: 3,
  }),
  pointCount: fc.nat(3),
  level: fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }),
  historical: fc.boolean(),
});
const anyDocuments = fc.uniqueArray(anyDocument, { selector: ({ id }) => id, maxLength: 30 });

it('answers by the bytes of an index as by the index', async () => {
  await fc.assert(
    fc.asyncProperty(anyDocuments, fc.string({ maxLength: 8 }), async (documents, text) => {
      const built = await buildNameIndex('regions', documents);
      // Bytes that were read from a file may begin anywhere in a buffer.
      const bytes = new Uint8Array([0, 0, 0, ...encodeNameIndex(built, 'key')]).subarray(3);
      const counts = new Map(documents.map(({ id, pointCount }) => [id, pointCount] as const));
      const read = new SearchIndex(decodeNameIndex('regions', bytes, 'key')!, counts);
      const index = new SearchIndex(built, counts);
      const words = [text, ...documents.slice(0, 3).flatMap(({ name, aliases }) => [name, ...aliases])];
      for (const query of words.map((one) => new Query(fold(one)))) {
        expect(read.findExact(query)).toEqual(index.findExact(query));
        expect(read.findNear(query)).toEqual(index.findNear(query));
        expect(read.findPartial(query)).toEqual(index.findPartial(query));
      }
      for (const { id } of documents) expect(read.namesOf(id)).toEqual(index.namesOf(id));
      expect(decodeNameIndex('regions', bytes, 'other key')).toBe(null);
    }),
  );
});

const SAMPLE_NAMES = [
  'Côte d’Ivoire',
  'U.S. Virgin Islands',
  'Trinidad & Tobago',
  'Иваново',
  'Łódź',
  'St. John’s County, Florida',
  'Potatoes, leaves of calves and berries in boxes',
];

it('has a version for the way in which names are indexed', async () => {
  const named = [...SAMPLE_NAMES.map((name) => [name]), ...SYNONYMS];
  const documents = named.map(([name, ...aliases], id) => ({
    ...{ id, name: name!, aliases, level: null, historical: false },
  }));
  const bytes = encodeNameIndex(await buildNameIndex('regions', documents), 'any');
  const content = createHash('sha256').update(bytes).digest('hex');
  // Increment FORMAT when names are indexed differently: the indexes that stores keep are then built again.
  expect({ format: FORMAT, content }).toEqual({
    format: 2,
    content: 'c44d5635c1b84593e3bf9a1230f5c8ed6f9d60472b12051d0cc5c0275be9e00c',
  });
});

/** A store of these names that keeps what it is given. */
function nameStore(documents: readonly SearchDocument[]): NameStore & { calls: string[] } {
  const calls: string[] = [];
  const kept = new Map<string, Uint8Array>();
  return {
    calls,
    namesChecksum: async () => JSON.stringify(documents.map(({ pointCount: _, ...names }) => names)),
    pointCounts: async () =>
      new Map(documents.filter(({ pointCount }) => pointCount > 0).map((one) => [one.id, one.pointCount])),
    searchDocuments: async () => {
      calls.push('documents');
      return documents;
    },
    kept: {
      read: async (name) => kept.get(name) ?? null,
      write: async (name, bytes) => {
        calls.push(`keep ${name}`);
        kept.set(name, bytes);
      },
    },
  };
}

const corn: SearchDocument = {
  id: 1,
  name: 'Corn',
  aliases: ['maize'],
  pointCount: 5,
  level: null,
  historical: false,
};
const best = (index: SearchIndex, text: string) => index.findExact(new Query(fold(text)))[0]?.document;

it('uses the last index of the process for the same names, with the numbers of points of each store', async () => {
  const [first, second] = [nameStore([corn]), nameStore([{ ...corn, pointCount: 7 }])];
  const index = await loadSearchIndex('items', first);
  expect(best(index, 'maize')).toEqual(corn);
  expect(best(await loadSearchIndex('items', second), 'maize')).toEqual({ ...corn, pointCount: 7 });
  expect([first.calls, second.calls]).toEqual([['documents'], []]);
});

it('keeps no index of names that an import changes while it is built', async () => {
  const many = Array.from({ length: 5_000 }, (_, id) => ({ ...corn, id, name: `Corn ${id}` }));
  const store = nameStore(many);
  let checksums = 0;
  await loadSearchIndex('items', { ...store, namesChecksum: async () => `${checksums++}` });
  expect(store.calls).toEqual(['documents']);
  await loadSearchIndex('items', store);
  expect(store.calls).toEqual(['documents', 'documents', 'keep search-items']);
});
