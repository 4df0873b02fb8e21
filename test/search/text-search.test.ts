import { describe, expect, it } from 'vitest';
import type { SearchDocument } from '../../src/model/entity.js';
import { buildNameIndex } from '../../src/search/indexing/name-index.js';
import { isNameMatch } from '../../src/search/match.js';
import { SearchIndex } from '../../src/search/search-index.js';
import { TextSearch } from '../../src/search/text-search.js';

const region = (id: number, name: string, aliases: string[] = []): SearchDocument => ({
  id,
  name,
  aliases,
  pointCount: 0,
  level: 4,
  historical: false,
});
const regionNames = await buildNameIndex('regions', [
  region(1, 'Georgia'),
  region(2, 'Georgia'),
  region(3, 'United States', ['USA']),
  region(4, 'Caucasus'),
  region(5, 'Mississippi'),
  region(6, 'Iowa County, Iowa', ['Iowa, Iowa']),
]);
const itemNames = await buildNameIndex('items', [{ ...region(1, 'Corn'), level: null }]);
const [regions, items] = [regionNames, itemNames].map((names) => new SearchIndex(names, new Map())) as [
  SearchIndex,
  SearchIndex,
];
const CONTAINING = new Map([
  [1, [4]],
  [2, [3]],
]);

const summary = (search: TextSearch, containing: typeof CONTAINING = new Map()): unknown[] => {
  const inContext = search.findNamedWithin().flatMap((named) => search.findInContext(named, containing));
  return search
    .bestFirst(inContext)
    .map((hit) => [hit.type, hit.document.id, hit.match.kind, isNameMatch(hit)]);
};

describe('TextSearch', () => {
  it('takes names, aliases and the same words for the entity itself', () => {
    expect(summary(new TextSearch([regions, items], 'maize'))).toEqual([['items', 1, 'same', true]]);
    expect(summary(new TextSearch([regions, items], 'U.S.A.'))).toEqual([['regions', 3, 'alias', true]]);
  });

  it('does not take a name that repeats the text for the entity itself', () => {
    expect(summary(new TextSearch([regions], 'Iowa'))).toEqual([['regions', 6, 'prefix', false]]);
    expect(summary(new TextSearch([regions], 'Iowa, Iowa'))).toEqual([['regions', 6, 'alias', true]]);
  });

  it('distinguishes entities of one name by what contains them', () => {
    expect(summary(new TextSearch([regions], 'Georgia, USA'), CONTAINING).slice(0, 2)).toEqual([
      ['regions', 2, 'context', true],
      ['regions', 3, 'within', false],
    ]);
  });
});
