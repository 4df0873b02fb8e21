import { describe, expect, it } from 'vitest';
import type { SearchDocument } from '../../src/model/entity.js';
import { fold } from '../../src/search/fold.js';
import { buildNameIndex } from '../../src/search/indexing/name-index.js';
import { compareHits, Query } from '../../src/search/match.js';
import { SearchIndex } from '../../src/search/search-index.js';

type Sketch = Partial<SearchDocument> & Pick<SearchDocument, 'name'>;

/** Ids are positions in the list, from 1. */
async function indexOf(sketches: readonly Sketch[]): Promise<SearchIndex> {
  const blank = { aliases: [], pointCount: 0, level: 3, historical: false };
  const documents = sketches.map((sketch, at) => ({ ...blank, id: at + 1, ...sketch }));
  const counted = documents.filter(({ pointCount }) => pointCount > 0);
  const counts = new Map(counted.map(({ id, pointCount }) => [id, pointCount]));
  return new SearchIndex(await buildNameIndex('regions', documents), counts);
}

async function order(text: string, sketches: readonly Sketch[]): Promise<number[]> {
  const hits = (await indexOf(sketches)).findExact(new Query(fold(text)));
  return hits.sort(compareHits).map(({ document }) => document.id);
}

describe('equal matches', () => {
  const country = { name: 'Georgia', level: 3 };
  const state = { name: 'Georgia', level: 4 };
  const [some, many] = [{ pointCount: 1 }, { pointCount: 1000 }];

  it('put entities with data first, then the wider level', async () => {
    expect(await order('Georgia', [state, country])).toEqual([2, 1]);
    expect(await order('Georgia', [{ ...state, ...some }, country])).toEqual([1, 2]);
    expect(
      await order('Georgia', [
        { ...state, ...many },
        { ...country, ...some },
      ]),
    ).toEqual([2, 1]);
  });

  it('of one level put more points first, then the lower id', async () => {
    expect(
      await order('Georgia', [
        { ...state, ...some },
        { ...state, ...many },
      ]),
    ).toEqual([2, 1]);
    expect(await order('Georgia', [state, state, state])).toEqual([1, 2, 3]);
  });

  it('put historical regions last, with or without data', async () => {
    const burma = { name: 'Burma', historical: true, ...many };
    expect(await order('Burma', [burma, { name: 'Myanmar', aliases: ['Burma'] }])).toEqual([2, 1]);
    expect(await order('Burm', [burma, { name: 'Burmania' }])).toEqual([2, 1]);
    expect(await order('Burma', [burma, { name: 'Burmania' }])).toEqual([1, 2]);
  });
});

describe('a better match', () => {
  const worseWithData = (name: string, aliases: string[] = []) => ({
    name,
    aliases,
    pointCount: 1e9,
    level: 1,
  });

  it.each([
    ['name before alias', 'Iowa', { name: 'Iowa' }, worseWithData('Other', ['Iowa'])],
    ['alias before synonym', 'maize', { name: 'A', aliases: ['Maize'] }, worseWithData('Corn')],
    ['synonym before prefix', 'maize', { name: 'Corn' }, worseWithData('Maize Valley')],
    ['plural before prefix', 'tomato', { name: 'Tomatoes' }, worseWithData('Tomato Valley')],
    ['prefix before word inside', 'king', { name: 'King County' }, worseWithData('The Old King')],
    ['whole word before part of a word', 'egg', { name: 'Hen eggs' }, worseWithData('Eggplant')],
    ['one name before several', 'king wa', { name: 'King, Wash' }, worseWithData('King', ['Wash'])],
  ])('ranks first whatever the data: %s', async (_, text, better, worse) => {
    expect(await order(text, [worse, better])).toEqual([2, 1]);
  });
});

describe('findNear', () => {
  const near = async (text: string, names: string[]) =>
    (await indexOf(names.map((name) => ({ name }))))
      .findNear(new Query(fold(text)))
      .sort(compareHits)
      .map(({ document }) => document.name);

  it('corrects one edit in short words and two in long ones', async () => {
    expect(await near('Iwoa', ['Iowa'])).toEqual(['Iowa']);
    expect(await near('Iwoaa', ['Iowa'])).toEqual([]);
    expect(await near('Missisipi', ['Mississippi'])).toEqual(['Mississippi']);
    expect(await near('Misisipi', ['Mississippi'])).toEqual([]);
  });

  it('does not correct numbers or the shortest words', async () => {
    expect(await near('Place 1234', ['Place 1235'])).toEqual([]);
    expect(await near('Omn', ['Oman'])).toEqual([]);
  });

  it('puts fewer edits first', async () => {
    expect(await near('Austrlia', ['Austria', 'Australia'])).toEqual(['Australia', 'Austria']);
  });
});

describe('findPartial', () => {
  it('finds names within a longer text, longest first, and none that share too few words', async () => {
    const index = await indexOf([
      { name: 'Iowa' },
      { name: 'IN' },
      { name: 'Republic of Somewhere Far Away' },
    ]);
    const hits = index.findPartial(new Query(fold('corn in Iowa of the republic'))).sort(compareHits);
    expect(hits.map(({ document, match }) => [document.name, match.kind])).toEqual([
      ['Iowa', 'within'],
      ['IN', 'within'],
    ]);
  });
});
