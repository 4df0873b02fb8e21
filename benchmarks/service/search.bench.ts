import { strict as assert } from 'node:assert';
import MiniSearch from 'minisearch';
import { loadRegionTree } from '../../src/ingest/regions/tree.js';
import { SearchIndexes } from '../../src/service/search.js';
import { openStore } from '../../src/store/open.js';
import type { NewEntity, Store } from '../../src/store/store.js';
import { maker, rival, type WorkloadMaker, workload } from '../workload.js';

const NAMES = 100_000;
/** Above the ids of all real regions. */
const MADE_FROM_ID = 2_000_000_000;
const QUERIES = 100;
const PLACES = [
  'Valley',
  'District',
  'Station',
  'Municipality',
  'Lake',
  'Airport',
  'Township',
  'River',
  'Hills',
];
const RIVAL = 'minisearch, prefix and fuzzy 0.2';

type NewRegion = NewEntity<'regions'>;

/** The regions that every store starts with, and places named after them until there are 100,000. */
async function manyRegions(): Promise<NewRegion[]> {
  const regions = [...(await loadRegionTree()).centred];
  const first = regions.map(({ name }) => name.split(/[ ,]/)[0]!);
  for (let i = 0; regions.length < NAMES; i++) {
    const [one, other] = [first[(i * 7919) % first.length]!, first[(i * 104_729 + 13) % first.length]!];
    const name = `${one} ${PLACES[i % PLACES.length]}, ${other}`;
    regions.push({ ...regions[0]!, id: MADE_FROM_ID + i, name, level: 5 + (i % 5), aliases: [`Place ${i}`] });
  }
  return regions;
}

async function storeOf(regions: readonly NewRegion[]): Promise<Store> {
  const store = await openStore(':memory:');
  const transaction = await store.begin();
  await transaction.putEntities('regions', regions);
  await transaction.commit();
  return store;
}

interface Searched {
  readonly id: number;
  readonly name: string;
  readonly aliases: string;
}

function miniSearchOf(regions: readonly NewRegion[]): MiniSearch<Searched> {
  const index = new MiniSearch<Searched>({ fields: ['name', 'aliases'], storeFields: ['name'] });
  index.addAll(regions.map(({ id, name, aliases = [] }) => ({ id, name, aliases: aliases.join(' ') })));
  return index;
}

function searchMini(index: MiniSearch<Searched>, text: string): string | undefined {
  const [best] = index.search(text, { prefix: true, fuzzy: 0.2, combineWith: 'AND', boost: { name: 2 } });
  return best?.name as string | undefined;
}

/** The same queries on both sides: those of the made ones that both answer alike, up to 100. */
function queries(label: string, textOf: (name: string) => string): WorkloadMaker {
  return maker(`search ${NAMES} region names: ${QUERIES} queries, ${label}`, async (name) => {
    const regions = await manyRegions();
    const nameOf = new Map(regions.map(({ id, name }) => [id, name]));
    const store = await storeOf(regions);
    const [indexes, mini] = [new SearchIndexes(store), miniSearchOf(regions)];
    const best = async (text: string) => nameOf.get((await indexes.search('regions', text))[0]!);
    const texts: string[] = [];
    for (let i = 0; texts.length < QUERIES; i++) {
      const text = textOf(regions[(i * 37 + 300) % regions.length]!.name);
      if ((await best(text)) === searchMini(mini, text)) texts.push(text);
    }
    const ours = async () => {
      const found: (string | undefined)[] = [];
      for (const text of texts) found.push(await best(text));
      return found;
    };
    return workload({
      workload: name,
      rows: NAMES,
      bytes: (found) => found.join('').length,
      ours,
      rivals: [
        rival({
          rival: RIVAL,
          run: () => texts.map((text) => searchMini(mini, text)),
          assertEqual: (mine, theirs) => assert.deepEqual(mine, theirs),
        }),
      ],
      close: () => store.close(),
    });
  });
}

/** Reading the names from the store and indexing them; the rival is given them. */
const build = maker(`index ${NAMES} region names, and one search`, async (name) => {
  const regions = await manyRegions();
  const nameOf = new Map(regions.map(({ id, name }) => [id, name]));
  const store = await storeOf(regions);
  return workload({
    workload: name,
    rows: NAMES,
    bytes: (found) => found?.length ?? 0,
    ours: async () => nameOf.get((await new SearchIndexes(store).search('regions', 'Kazakhstan'))[0]!),
    rivals: [
      rival({
        rival: 'minisearch',
        run: () => searchMini(miniSearchOf(regions), 'Kazakhstan'),
        assertEqual: (mine, theirs) => assert.equal(mine, theirs),
      }),
    ],
    close: () => store.close(),
  });
});

/** Two letters in the middle change places. */
function misspelt(name: string): string {
  const at = Math.floor(name.split(/[ ,]/)[0]!.length / 2);
  return name.slice(0, at) + (name[at + 1] ?? '') + (name[at] ?? '') + name.slice(at + 2);
}

export const workloads: WorkloadMaker[] = [
  build,
  queries('whole names', (name) => name),
  queries('beginnings of four letters', (name) => name.slice(0, 4)),
  queries('misspelt names', misspelt),
];
