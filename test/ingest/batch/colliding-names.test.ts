import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashName } from '../../../src/ingest/batch/batch-builder.js';
import { defineDataset, documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { dryRun } from '../../../src/ingest/dry-run.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import type { Importer } from '../../../src/ingest/importer.js';
import type { Store } from '../../../src/store/store.js';
import { someOf } from '../../endurance.js';
import { temporaryFiles } from '../../temporary-files.js';
import { newStore, storedPoints } from '../stores.js';
import { collidingNumbers } from './colliding.js';

const nass = documentImporter('nass');

const { file } = temporaryFiles();

/** Writes a Quick Stats file of one data item: the fixture's first row in some years. */
function quickStats(name: string, fields: Readonly<Record<string, string>>, years: number): string {
  const [header, row] = readFileSync('test/fixtures/nass/quick-stats.tsv', 'utf8').split('\n');
  const columns = header!.split('\t');
  const lines = Array.from({ length: years }, (_, i) => {
    const cells = row!.split('\t');
    const all = { YEAR: String(2012 + i), VALUE: String(fields.SHORT_DESC!.length * 1000 + i), ...fields };
    for (const [column, text] of Object.entries(all)) cells[columns.indexOf(column)] = text;
    return cells.join('\t');
  });
  return file(name, [header, ...lines].join('\n'));
}

const item = (number: number): string => `nass:item:CORN, VARIETY ${number}`;
const [ONE, OTHER] = collidingNumbers(item);
const area = (number: number) => ({ SHORT_DESC: `CORN, VARIETY ${number} - ACRES HARVESTED` });
const first = quickStats('first.txt', area(ONE), 3);
const second = quickStats('second.txt', area(OTHER), 2);

/** The contents of a store, without the entities that every store has. */
async function contents(store: Store): Promise<unknown> {
  const named = (await store.identities()).map(async (identity) => [
    identity,
    await store.lookup(identity.type, [identity.id]),
  ]);
  return { named: await Promise.all(named), points: await storedPoints(store) };
}

interface Collision {
  readonly importer: Importer;
  readonly files: readonly [string, string];
  /** The importer of the second file (default: that of the first). */
  readonly other?: Importer;
}

async function importInOrder(
  { importer, other = importer, files }: Collision,
  order: readonly number[],
): Promise<Store> {
  const store = await newStore();
  for (const at of order) {
    const one = { files: [files[at]!], importedMs: Date.UTC(2026, 0, 2) };
    expect(await importDataset(store, at === 0 ? importer : other, one)).toMatchObject({ rejectedRows: 0 });
  }
  return store;
}

const stations = (number: number): string =>
  file(`station-${number}.csv`, `id,lat,lon,day,high\nS${number},42,-93.8,1990-01-01,${number}\n`);
const gauges = (source: string) =>
  defineDataset({
    source: { name: source },
    region: { station: 'id', latitude: 'lat', longitude: 'lon' },
    metric: { name: 'Temperature' },
    item: { name: 'Temperature max' },
    unit: { name: '°C' },
    start_date: 'day',
    values: 'high',
  });
const [GAUGE, OTHER_GAUGE] = collidingNumbers((number) => `csv:gauge:S${number}`);
const [SOURCE, OTHER_SOURCE] = collidingNumbers((number) => `csv:source:gauge ${number}`);
const [UNIT, OTHER_UNIT] = collidingNumbers((number) => `nass:unit:BOX ${number}`);
const [METRIC, OTHER_METRIC] = collidingNumbers((number) => `nass:metric:WORTH ${number}|`);
const inUnit = (number: number) => ({ UNIT_DESC: `BOX ${number}`, SHORT_DESC: 'CORN, GRAIN - PRODUCTION' });
const inMetric = (number: number) => ({ UNIT_DESC: 'ACRES', SHORT_DESC: `CORN, GRAIN - WORTH ${number}` });

const COLLISIONS: readonly [string, Collision][] = [
  ['items', { importer: nass, files: [first, second] }],
  [
    'metrics',
    {
      importer: nass,
      files: [
        quickStats('metric.txt', inMetric(METRIC), 2),
        quickStats('other-metric.txt', inMetric(OTHER_METRIC), 2),
      ],
    },
  ],
  [
    'units',
    {
      importer: nass,
      files: [
        quickStats('unit.txt', inUnit(UNIT), 2),
        quickStats(
          'other-unit.txt',
          { ...inUnit(OTHER_UNIT), STATE_FIPS_CODE: '19', AGG_LEVEL_DESC: 'STATE' },
          1,
        ),
      ],
    },
  ],
  [
    'regions',
    {
      importer: gauges('gauge'),
      files: [stations(GAUGE), stations(OTHER_GAUGE)],
    },
  ],
  [
    'sources',
    {
      importer: gauges(`gauge ${SOURCE}`),
      other: gauges(`gauge ${OTHER_SOURCE}`),
      files: [stations(1), stations(2)],
    },
  ],
];

describe('names whose hashes collide', () => {
  it.each(someOf(COLLISIONS, 2))(
    'of %s lose no row, and keep their ids when they are imported again',
    async (_, collision) => {
      const store = await importInOrder(collision, [0, 1]);
      const found = await contents(store);
      for (const at of [1, 0]) {
        const { importer, other = importer, files } = collision;
        const again = { files: [files[at]!] };
        expect(await importDataset(store, at === 0 ? importer : other, again)).toMatchObject({
          added: 0,
          entities: 0,
        });
      }
      expect(await contents(store)).toEqual(found);
    },
  );

  it('have the same ids when one import contains both', async () => {
    const parts = await importInOrder({ importer: nass, files: [first, second] }, [0, 1]);
    const files = [first, second];
    const store = await newStore();
    const report = await importDataset(store, nass, { files });
    expect(report).toMatchObject({ rows: 5, added: 5, rejectedRows: 0, series: 2 });
    expect(await contents(store)).toEqual(await contents(parts));
    const tried = await dryRun(nass, { files });
    const id = hashName(item(ONE));
    expect(tried.entities.items!.map((one) => one.id).sort()).toEqual([id, id + 1]);
    expect(tried.series).toHaveLength(2);
  });
});
