import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BatchBuilder, hashName } from '../../../src/ingest/batch/batch-builder.js';
import { resolveFaoItem } from '../../../src/ingest/hooks/faostat.js';
import { resolveNassMeasure } from '../../../src/ingest/hooks/nass-measures.js';
import { loadRegionTree } from '../../../src/ingest/regions/tree.js';
import { ITEMS, METRICS, SOURCES } from '../../../src/ingest/vocabulary/entities.js';
import { UNITS } from '../../../src/ingest/vocabulary/units.js';
import { FREQUENCIES } from '../../../src/model/frequency.js';
import { psdReaders } from '../psd/readers.js';

type Ids = Readonly<Record<string, string>>;

/** Ids are a promise to every store and script: a row of this file is never changed, and never removed. */
const golden = (name: string): Ids =>
  JSON.parse(readFileSync(new URL(`../../golden/ids/${name}.json`, import.meta.url), 'utf8')) as Ids;

const byId = (rows: Iterable<{ readonly id: number; readonly name: string }>): Ids =>
  Object.fromEntries([...rows].map(({ id, name }) => [`${id}`, name]));

describe('the ids of the vocabulary', () => {
  it.each([
    ['items', ITEMS],
    ['metrics', METRICS],
    ['units', UNITS.map(({ id, abbreviation }) => ({ id, name: abbreviation }))],
    ['sources', Object.values(SOURCES)],
    ['frequencies', FREQUENCIES],
  ] as const)('of %s are those of test/golden/ids; new rows are added there', (type, rows) => {
    expect(byId(rows)).toEqual(golden(type));
  });

  it.each([
    ['items', ITEMS],
    ['metrics', METRICS],
  ] as const)('of what %s belong to are those of test/golden/ids', (type, rows) => {
    const children = rows.filter(({ belongsTo }) => belongsTo.length > 0);
    const parents = Object.fromEntries(children.map(({ id, belongsTo }) => [`${id}`, belongsTo.join()]));
    expect(parents).toEqual(golden(`${type}-parents`));
  });

  it('of sources are those that importers name', () => {
    const keys = Object.fromEntries(Object.entries(SOURCES).map(([key, { id }]) => [`${id}`, key]));
    expect(keys).toEqual(golden('sources-keys'));
  });

  it('of regions are made of public codes', async () => {
    const { regions } = await loadRegionTree();
    const known = new Map(regions.map(({ id, name }) => [`${id}`, name]));
    for (const [id, name] of Object.entries(golden('regions')))
      expect([id, known.get(id)]).toEqual([id, name]);
  });
});

describe('the ids of names', () => {
  it('are hashes of the identities that importers give them', () => {
    const names = golden('names');
    expect(Object.keys(names).length).toBeGreaterThan(20);
    expect(Object.fromEntries(Object.values(names).map((name) => [`${hashName(name)}`, name]))).toEqual(
      names,
    );
  });

  it('are those of what a row says', async () => {
    const batch = new BatchBuilder();
    const nass = (shortDesc: string, domain = '', span = ''): string => {
      const measure = resolveNassMeasure({ shortDesc, domain, span, unit: '' }, batch);
      return `${measure.metric_id} ${measure.item_id} ${measure.unit_id}`;
    };
    const found: Record<string, string> = {};
    for (const shortDesc of Object.values(golden('nass'))) found[nass(shortDesc)] = shortDesc;
    expect(found).toEqual(golden('nass'));
    const faostat = Object.values(golden('faostat'));
    expect(Object.fromEntries(faostat.map((name) => [resolveFaoItem(name, batch), name]))).toEqual(
      golden('faostat'),
    );
    const psd = Object.values(golden('psd'));
    const { item } = await psdReaders(batch);
    expect(Object.fromEntries(psd.map((name) => [item(name, 813_101), name]))).toEqual(golden('psd'));
  });
});
