import { describe, expect, it } from 'vitest';
import { defineDataset } from '../../../src/ingest/document/define-dataset.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect } from '../collect.js';

const { file } = temporaryFiles();

const DOCUMENT = {
  source: { name: 'Harvests' },
  region: { column: 'place.name', level: 'province' },
  metric: { name: 'Production quantity' },
  item: { name: 'Corn' },
  unit: { name: 't' },
  start_date: { column: 'year', format: 'YYYY' },
  values: 'tonnes',
};
const COLUMNS = { region: { name: 'Iowa', level: 'province' }, values: 'tonnes (t)' };

const read = async (json: unknown, document: object) => {
  const files = [file('harvests.json', typeof json === 'string' ? json : JSON.stringify(json))];
  const { points, rejected } = await collect(defineDataset({ ...DOCUMENT, ...document }), {
    files,
  });
  return [
    ...points.map(({ start, value }) => `${start.slice(0, 4)} ${value}`),
    ...rejected.map(({ line, reason }) => `${line}: ${reason}`),
  ];
};

describe('a table in JSON', () => {
  const records: object[] = [
    { year: 2001, place: { name: 'Iowa', codes: [19] }, tonnes: 70 },
    { year: 2002, place: { name: 'Iowa' }, tonnes: null, constructor: 'x' },
    { year: '20o3', place: { name: 'Iowa' }, tonnes: '7' },
  ];
  const bad = '4: the date "20o3" is not a date of the format YYYY';

  it.each([
    ['a list of records', records, {}],
    ['a list in an object', { status: 'ok', response: { data: records } }, { at: 'response.data' }],
    ['the second of a list', [{ pages: 1 }, records], { at: '1' }],
  ])('may be %s', async (_, json, where) => {
    const found = await read(json, { json: where });
    expect(found).toEqual(['2001 70', expect.stringMatching(/^4: /)]);
    expect(found[1]!.slice(0, 15)).toBe(bad.slice(0, 15));
  });

  it('may be a list for each column, with units beside it, of several places', async () => {
    const table = { year: ['2001', '2002'], tonnes: [70, null] };
    const place = { elevation: 38, units: { tonnes: 't' }, table };
    const json = { at: 'table', units: 'units' };
    expect(await read(place, { ...COLUMNS, json })).toEqual(['2001 70']);
    const others = { ...place, table: { year: ['2003'], tonnes: [71] } };
    expect(await read([place, others], { ...COLUMNS, json })).toEqual(['2001 70', '2003 71']);
    const region = { station: '{elevation}', latitude: 42, longitude: -93 };
    expect(await read(place, { ...COLUMNS, region, json })).toEqual(['2001 70']);
  });

  it.each([
    ['is cut short', '[{"year": 2001, "place"', 'line 1: it is not well-formed JSON'],
    ['has columns of different lengths', { year: ['2001'], 'tonnes (t)': [1, 2] }, 'year 1, tonnes (t) 2'],
  ])('is refused where it %s', async (_, json, reason) => {
    await expect(read(json, { ...COLUMNS, json: {} })).rejects.toThrow(reason);
  });
});
