import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SearchDocument } from '../../src/model/entity.js';
import { SearchIndex } from '../../src/search/search-index.js';
import { findNamed } from '../../src/search/text-search.js';
import { WholeNames } from '../../src/search/whole-names.js';

const name = fc.oneof(
  fc.constantFrom('Corn', 'corn', 'CORN.', 'Côte d’Ivoire', 'cote d ivoire', 'U.S. Corn', 'us corn', '–'),
  fc.string({ maxLength: 3 }),
);
const document = fc.record<SearchDocument>({
  id: fc.integer({ min: 1, max: 1_000 }),
  name,
  aliases: fc.array(name, { maxLength: 3 }),
  pointCount: fc.nat(2),
  level: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  historical: fc.boolean(),
});
const anyDocuments = fc.uniqueArray(document, { selector: ({ id }) => id, maxLength: 12 });

it('find the entities of a name or an alias as a search index does', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(anyDocuments, name, async (documents, text) => {
      const index = SearchIndex.build('regions', documents);
      const wholes = await WholeNames.build('regions', documents, async () => {});
      for (const one of [text, ...documents.flatMap(({ name, aliases }) => [name, ...aliases])]) {
        const hits = findNamed(wholes, one);
        expect(hits).toEqual(findNamed(index, one));
        found += hits.length;
      }
    }),
  );
  expect(found).toBeGreaterThan(100);
});
