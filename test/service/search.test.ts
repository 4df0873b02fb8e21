import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEARCHABLE_TYPES, type SearchableType, type SearchDocument } from '../../src/model/entity.js';
import { fold } from '../../src/search/fold.js';
import { readWords } from '../../src/service/read-words.js';
import { SearchIndexes } from '../../src/service/search.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { countRuns } from '../endurance.js';
import { isMeant, type LabelledQuery, labelledQueries, openLabelledStore } from './labelled-search.js';

let store: Store;
let search: SearchIndexes;
const documents = new Map<SearchableType, Map<number, SearchDocument>>();

beforeAll(async () => {
  store = await openLabelledStore();
  search = new SearchIndexes(store);
  for (const type of SEARCHABLE_TYPES) {
    const found = await store.searchDocuments(type);
    documents.set(type, new Map(found.map((document) => [document.id, document])));
  }
});
afterAll(() => store.close());

function document(type: SearchableType, id: number): SearchDocument {
  return documents.get(type)!.get(id)!;
}

async function idsOf(type: SearchableType, text: string, of = search): Promise<number[]> {
  return (await of.searchNames(type, text)).map(({ id }) => id);
}

async function hitsOf({ type, query }: LabelledQuery): Promise<{ type: SearchableType; id: number }[]> {
  if (type === 'all') return search.searchAll(query);
  return (await idsOf(type, query)).map((id) => ({ type, id }));
}

/** The place of the first expected entity, counted from 1; 0 when there is none. */
async function placeOf(one: LabelledQuery): Promise<number> {
  const hits = await hitsOf(one);
  const isExpected = ({ type, id }: (typeof hits)[number]): boolean =>
    one.expected.some((label) => {
      const bare = one.type === 'all' ? label.replace(`${type}: `, '') : label;
      return isMeant(document(type, id), bare) && (one.type !== 'all' || label !== bare);
    });
  return hits.findIndex(isExpected) + 1;
}

describe('the labelled queries', () => {
  it('name entities of the store, each query once', () => {
    const labels = labelledQueries().flatMap(({ type, expected }) =>
      expected.map((label) => ({ type, label })),
    );
    const unknown = labels.filter(({ type, label }) => {
      const [of, bare] = type === 'all' ? (label.split(': ') as [SearchableType, string]) : [type, label];
      return ![...documents.get(of)!.values()].some((one) => isMeant(one, bare));
    });
    expect(unknown).toEqual([]);
    const texts = labelledQueries().map(({ type, query }) => `${type} ${query}`);
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  });

  it('find what they mean: at least 95% as the first hit and 99% among the first five', async () => {
    const queries = labelledQueries();
    const places = await Promise.all(queries.map(placeOf));
    const share = (max: number) => places.filter((place) => place > 0 && place <= max).length / places.length;
    const [top1, top5] = [share(1), share(5)];
    console.log(`${queries.length} labelled queries: top-1 ${percent(top1)}, top-5 ${percent(top5)}`);
    for (const [at, { type, kind, query, expected }] of queries.entries())
      if (places[at] !== 1)
        console.log(`  ${type}, ${kind}: "${query}" finds ${expected} at ${places[at] || 'no place'}`);
    expect(queries.length).toBeGreaterThanOrEqual(200);
    expect(top1).toBeGreaterThanOrEqual(0.95);
    expect(top5).toBeGreaterThanOrEqual(0.99);
  });
});

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

describe('every entity', () => {
  it('is the first hit for its exact name, or another one with the same name is', async () => {
    const all = SEARCHABLE_TYPES.flatMap((type) =>
      [...documents.get(type)!.values()]
        .filter(({ historical }) => !historical)
        .map((one) => ({ type, ...one })),
    );
    const check = async ({ type, name }: (typeof all)[number]) => {
      const [first] = await idsOf(type, name);
      expect(fold(document(type, first!).name)).toBe(fold(name));
    };
    for (const one of all.filter(({ type }) => type !== 'regions')) await check(one);
    const regions = all.filter(({ type }) => type === 'regions');
    await fc.assert(fc.asyncProperty(fc.constantFrom(...regions), check), {
      numRuns: countRuns({ quick: 80, all: 4_000 }),
    });
  });

  it('that is historical is the first hit for its name, unless a current one has the same name', async () => {
    const regions = [...documents.get('regions')!.values()];
    const current = new Map<string, number[]>();
    for (const { id, name, aliases } of regions.filter(({ historical }) => !historical)) {
      for (const label of [name, ...aliases].map(fold))
        current.set(label, [...(current.get(label) ?? []), id]);
    }
    for (const { id, name } of regions.filter(({ historical }) => historical)) {
      const [first] = await idsOf('regions', name);
      expect([name, current.get(fold(name)) ?? [id]]).toEqual([name, expect.arrayContaining([first])]);
    }
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 500 }),
  fc.string({
    unit: fc.constantFrom('.', '*', '+', '?', '(', ')', '[', ']', '\\', '^', '$', '|', '{', '}', 'a'),
  }),
  fc.lorem({ maxCount: 80 }),
  fc.constantFrom('constructor', '__proto__', 'toString', '=corn', '\uffff', '\ud800', 'a'.repeat(500), ''),
);

describe('any text', () => {
  it('finds distinct, existing entities, and the same ones every time', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.constantFrom(...SEARCHABLE_TYPES), async (text, type) => {
        const ids = await idsOf(type, text);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => documents.get(type)!.has(id))).toBe(true);
        expect(ids.length).toBeLessThanOrEqual(100);
        expect(await idsOf(type, text)).toEqual(ids);
      }),
      { numRuns: countRuns({ quick: 25, all: 1_000 }) },
    );
  });

  it('without letters or digits finds nothing', async () => {
    const unit = fc.constantFrom(...' \t\n.,;:!?-_/\\()[]{}"\'&%§€→—');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 50 }), async (text) => {
        expect(await search.searchAll(text)).toEqual([]);
      }),
    );
  });

  it('finds in all types what each type finds, in the same order', async () => {
    for (const text of ['wheat', 'Georgia', 'precipitation', 'turkey', 'usda corn', 'New York']) {
      const all = await search.searchAll(text);
      for (const type of SEARCHABLE_TYPES) {
        const of = all.filter((hit) => hit.type === type).map(({ id }) => id);
        const alone = await idsOf(type, text);
        expect(alone.filter((id) => of.includes(id))).toEqual(of);
      }
    }
  });
});

describe('an import', () => {
  it('can be searched as soon as it is committed', async () => {
    const changing = await openStore(':memory:');
    try {
      const changingSearch = new SearchIndexes(changing);
      const names = ['Teff', 'Fonio'];
      const seen: number[][] = [];
      for (const [at, name] of names.entries()) {
        const transaction = await changing.begin();
        await transaction.putEntities('items', [{ id: at + 1, name, definition: '', belongsTo: [] }]);
        await transaction.commit();
        for (const text of names) seen.push(await idsOf('items', text, changingSearch));
      }
      expect(seen).toEqual([[1], [], [1], [2]]);
    } finally {
      await changing.close();
    }
  });
});

describe('the names in a text of plain words', () => {
  it.each([
    ['corn yield iowa illinois', ['metric yield', 'item corn', 'region iowa', 'region illinois']],
    ['Yield of maize in Ohio, Indiana', ['metric yield', 'item maize', 'region ohio', 'region indiana']],
    ['corn yield story county iowa', ['metric yield', 'item corn', 'region story county iowa']],
    ['corn yeild iowa', ['metric yeild', 'item corn', 'region iowa']],
    ['us corn stocks to use', ['metric Ending stocks', 'metric Total use', 'region us', 'item corn']],
  ])('%s', async (text, expected) => {
    const { names, unread } = await readWords(search, text);
    expect(names.map(({ word, requested }) => `${word} ${requested}`).sort()).toEqual([...expected].sort());
    expect(unread).toEqual([]);
  });

  it('takes no year for the beginning of a code', async () => {
    expect(await readWords(search, 'corn yield iowa 1900')).toMatchObject({ unread: ['1900'] });
  });

  it('are those that the text writes out, whatever short or other names their words have', async () => {
    const own = await openStore(':memory:');
    const named = (name: string, id: number, aliases: string[] = []) => ({
      id,
      name,
      aliases,
      definition: '',
      belongsTo: [],
    });
    const items = [
      'Meat of cattle with the bone, fresh or chilled',
      'Meat of pig with the bone, fresh or chilled',
      'Number of moderately or severely food insecure people (million) (3-year average)',
      'Number of severely food insecure people (million) (3-year average)',
      'Green corn (maize)',
      'Raw milk of cattle',
    ];
    try {
      const transaction = await own.begin();
      await transaction.putEntities(
        'items',
        items.map((name, at) => named(name, at + 1)),
      );
      await transaction.putEntities('metrics', [
        named('Value', 1),
        named('Milk animals', 2),
        named('Domestic use', 3, ['Total domestic']),
      ]);
      await transaction.putEntities('regions', [
        { ...named('Total foreign', 1), level: 1, latitude: null, longitude: null, historical: false },
      ]);
      await transaction.commit();
      const indexes = new SearchIndexes(own);
      const meanings = async (text: string) => {
        const { names, unread, frequency_id } = await readWords(indexes, text);
        const found = names.map(async ({ word, requested }) => {
          const [best] = await indexes.searchNames(`${word}s` as SearchableType, requested);
          return `${word} ${best!.exact ? '' : 'like '}${best!.name}`;
        });
        return [
          ...(await Promise.all(found)),
          ...unread,
          ...(frequency_id === undefined ? [] : ['frequency']),
        ];
      };
      for (const item of items) {
        expect(await meanings(`Value ${item}`)).toEqual(['metric Value', `item ${item}`]);
        expect(await meanings(`${item} value`)).toEqual([`item ${item}`, 'metric Value']);
      }
      const milk = ['item Raw milk of cattle', 'metric Milk animals'];
      expect(await meanings('raw milk of cattle milk animals')).toEqual(milk);
      expect(await meanings('annual raw milk of cattle')).toEqual(['item Raw milk of cattle', 'frequency']);
      const foreign = ['region Total foreign', 'metric Domestic use'];
      expect(await meanings('total foreign domestic use')).toEqual(foreign);
    } finally {
      await own.close();
    }
  });

  it('keep unknown words together that one name has, beside a misspelt one', async () => {
    const own = await openStore(':memory:');
    const named = (name: string, id: number) => ({ id, name, definition: '', belongsTo: [] });
    const place = { level: null, latitude: null, longitude: null, historical: false };
    const regions = ['SIOUX-CITY-WSO-AP', 'Sioux County, Iowa', 'City of Kigali'];
    try {
      const transaction = await own.begin();
      await transaction.putEntities('metrics', [named('Temperature', 1)]);
      await transaction.putEntities(
        'regions',
        regions.map((name, at) => ({ ...named(name, at + 1), ...place })),
      );
      await transaction.commit();
      const { names, unread } = await readWords(new SearchIndexes(own), 'temprature sioux city zzzzqqq');
      expect(names).toEqual([
        { word: 'metric', requested: 'temprature' },
        { word: 'region', requested: 'sioux city' },
      ]);
      expect(unread).toEqual(['zzzzqqq']);
    } finally {
      await own.close();
    }
  });

  it('leave over what names nothing', async () => {
    expect((await readWords(search, 'corn yield zzzzqqq')).unread).toEqual(['zzzzqqq']);
  });
});
