import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineDataset } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import type { ImporterInput } from '../../../src/ingest/importer.js';
import type { Store } from '../../../src/store/store.js';
import { openRegionStore } from '../../store-templates.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect, named } from '../collect.js';
import { clientOf } from '../serving.js';

const { file } = temporaryFiles();

/** Feed that goats of two paddocks get, in sacks of 25 kg and in kilograms. */
const FEED = file(
  'feed.csv',
  'year,place,what,amount,unit\n2020,North paddock,Goats,4,sacks\n2021,north paddock,goats,120,kg\n2020,South paddock,Goats,2,sack\n',
);
const DEFINE = {
  metrics: { 'Feed given': { definition: 'Feed put out for the animals.' } },
  items: {
    Goats: { within: 'livestock kept', aliases: ['does and bucks'] },
    Animals: { aliases: ['Livestock kept'] },
  },
  regions: {
    Farm: { within: 'Story County, Iowa' },
    'North paddock': { within: 'Farm', latitude: 42.03, longitude: -93.8 },
    'South paddock': { latitude: 42.03, longitude: -93.8, level: 'other' },
  },
  units: { sack: { plural: 'sacks', dimension: 'mass', factor: 0.025 } },
};
const DOCUMENT = {
  source: { name: 'My farm' },
  define: DEFINE,
  region: 'place',
  item: 'what',
  metric: { name: 'Feed given' },
  unit: 'unit',
  start_date: { column: 'year', format: 'YYYY' },
  values: 'amount',
};

const load = async (store: Store, document: object, table = FEED) =>
  importDataset(store, defineDataset(document), { files: [table] });
const read = async (document: object, input: Partial<ImporterInput> = {}) =>
  collect(defineDataset(document), { files: [FEED], ...input });

describe('definitions', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openRegionStore();
    expect(await load(store, DOCUMENT)).toMatchObject({ added: 3, rejectedRows: 0 });
  });
  afterAll(() => store?.close());

  it('are entities of the source, with ids from source and name alone', async () => {
    const { entities, points, rejected } = await read(DOCUMENT);
    expect(rejected).toEqual([]);
    const goats = named(entities.items, 'Goats');
    expect(goats).toMatchObject({ id: 1_947_379_454, aliases: ['does and bucks'] });
    expect(goats.belongsTo).toEqual([named(entities.items, 'Animals').id]);
    const farm = named(entities.regions, 'Farm');
    expect(farm).toMatchObject({ level: 8, belongsTo: [119_169], latitude: null });
    expect(named(entities.regions, 'North paddock')).toMatchObject({ level: 9, belongsTo: [farm.id] });
    expect(named(entities.regions, 'South paddock')).toMatchObject({ level: 8, belongsTo: [119_015] });
    expect(new Set(points.map(({ item_id }) => item_id))).toEqual(new Set([goats.id]));
    const reordered = await read({ ...DOCUMENT, define: { ...DEFINE, items: { Animals: {}, Goats: {} } } });
    expect(named(reordered.entities.items, 'Goats').id).toBe(goats.id);
    const other = await read({ ...DOCUMENT, source: { name: 'Another farm' } });
    expect(named(other.entities.items, 'Goats').id).not.toBe(goats.id);
  });

  it('are found, retrieved and converted like others', async () => {
    expect(await load(store, DOCUMENT)).toMatchObject({ added: 0, unchanged: 3, entities: 0 });
    const client = clientOf(store);
    const [item] = await client.search('items', 'does and bucks');
    const [region] = await client.search('regions', 'north paddock');
    const found = client.findDataSeries({ item: 'goats', metric: 'feed given', region: 'North paddock' });
    const { value: series } = await found.next();
    expect(series).toMatchObject({ item_id: item!.id, region_id: region!.id });
    const kilograms = { ...series!, unit_id: 31 };
    const values = (await client.getDataPoints(kilograms)).map(({ value }) => value);
    expect(values).toEqual([100, 120]);
    client.addSingleDataSeries(series!);
    const rows = (await client.getDf({ unit_id: 31 })).toRows();
    expect(rows.map(({ value, unit_id }) => [value, unit_id])).toEqual([
      [100, 31],
      [120, 31],
    ]);
    const sack = (await client.listUnits()).find(({ name }) => name === 'sack')!;
    const sacks = await client.getDataPoints({ ...series!, unit_id: sack.id });
    expect(sacks.map(({ value }) => value)).toEqual([4, expect.closeTo(4.8, 12)]);
  });

  it('of dimensions of their own convert within their source alone', async () => {
    const table = file('soil.csv', 'year,v,u\n2020,30,%v\n2021,0.25,m³/m³\n');
    const soil = (source: string) => ({
      source: { name: source },
      define: {
        items: { 'Topsoil, 10 cm': { within: 'Soil' } },
        units: {
          'm³/m³': { dimension: 'soil moisture', factor: 1 },
          '%v': { dimension: 'soil moisture', factor: 0.01 },
        },
      },
      region: { name: 'Story County, Iowa' },
      metric: { name: 'Soil moisture' },
      item: { name: 'Topsoil, 10 cm' },
      unit: 'u',
      start_date: { column: 'year', format: 'YYYY' },
      values: 'v',
    });
    await load(store, soil('Probe A'), table);
    await load(store, soil('Probe B'), table);
    const client = clientOf(store);
    const units = (await client.listUnits()).filter(({ name }) => name === '%v');
    expect(units.map(({ dimension }) => dimension).sort()).toEqual([
      'soil moisture (Probe A)',
      'soil moisture (Probe B)',
    ]);
    const ours = units.find(({ dimension }) => dimension === 'soil moisture (Probe A)')!;
    const theirs = units.find((unit) => unit !== ours)!;
    const [source] = await client.search('sources', 'Probe A');
    const [series] = await client.getDataSeries({ source_id: source!.id });
    const points = await client.getDataPoints({ ...series!, unit_id: ours.id });
    expect(points.map(({ value }) => value)).toEqual([30, 25]);
    await expect(client.getDataPoints({ ...series!, unit_id: theirs.id })).rejects.toThrow('not convertible');
  });

  it('that contradict an earlier import of the source are refused, and nothing changes', async () => {
    const { units, regions, items } = DEFINE;
    const changed = (define: object) => load(store, { ...DOCUMENT, define: { ...DEFINE, ...define } });
    await expect(changed({ units: { sack: { ...units.sack, factor: 0.05 } } })).rejects.toThrow(
      'define.units.sack has the factor 0.05, but an earlier import of "My farm" defined it with 0.025; define it as before, or under another name',
    );
    await expect(changed({ units: { sack: { plural: 'sacks' } } })).rejects.toThrow('has the dimension none');
    await expect(
      changed({ regions: { ...regions, 'South paddock': { ...regions['South paddock'], latitude: 43 } } }),
    ).rejects.toThrow('define.regions.South paddock has the latitude 43');
    await expect(changed({ items: { ...items, Goats: { within: 'Crops' } } })).rejects.toThrow(
      'define.items.Goats has the container 100',
    );
    expect(await load(store, DOCUMENT)).toMatchObject({ added: 0, entities: 0 });
    expect(await changed({ items: { ...items, Sheep: {} } })).toMatchObject({ added: 0, entities: 1 });
  });

  it('stay when a later document of the source names the entities by columns alone', async () => {
    const [region, item, unit] = ['place', 'what', 'unit'].map((column) => ({ column, define: {} }));
    const { regions: _, items: __, units: ___, ...define } = DEFINE;
    await load(store, { ...DOCUMENT, define, region, item, unit });
    const sacks = (await store.lookup('units', null)).filter(({ name }) => name === 'sack');
    expect(sacks).toMatchObject([{ dimension: 'mass', baseConvFactor: { factor: 0.025 } }]);
    const places = (await store.lookup('regions', null)).filter(({ name }) => name === 'North paddock');
    expect(places).toMatchObject([{ latitude: 42.03, longitude: -93.8, level: 9 }]);
    const aliases = (await store.searchDocuments('items')).find(({ name }) => name === 'Goats')?.aliases;
    expect(aliases).toEqual(['does and bucks']);
  });

  it.each([
    [
      { items: { corn: {} } },
      'define.items.corn is already in the vocabulary as Corn (110); omit the definition',
    ],
    [{ items: { A: {}, B: { aliases: ['a'] } } }, 'define.items has the name "a" twice'],
    [{ items: { A: { aliases: ['x'] }, B: { aliases: [' X'] } } }, 'define.items has the name "x" twice'],
    [{ items: { A: { within: 'B' }, B: { within: 'A' } } }, 'define.items.A contains itself'],
    [
      { items: { A: { within: 'Zzyzx' } } },
      'define.items.A.within cannot be resolved: there is no item called "Zzyzx"',
    ],
    [
      { units: { kg: { dimension: 'mass', factor: 1 } } },
      'define.units.kg has the name "kg", which belongs to another unit',
    ],
    [
      { units: { x: { factor: 1 } } },
      'define.units.x.dimension is missing: specify the dimension to which the factor applies',
    ],
    [
      { units: { x: { dimension: 'money', factor: 2 } } },
      '"money" has no base unit, so its units cannot be converted',
    ],
    [
      { regions: { x: { latitude: 3 } } },
      'define.regions.x must have both latitude and longitude, or neither',
    ],
  ])('refuses %j', async (define, message) => {
    await expect(read({ ...DOCUMENT, define })).rejects.toThrow(message);
  });
});
