import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineDataset } from '../../../src/ingest/document/define-dataset.js';
import { jsonTable } from '../../../src/ingest/document/json-tables.js';
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

describe('records in JSON, without a path', () => {
  const { header, readColumns, records } = jsonTable();

  async function readAll(text: string): Promise<readonly (readonly string[])[]> {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
    }
    const rows: (readonly string[])[] = [];
    for await (const { fields } of records!(pieces(), await readColumns!(pieces()))) rows.push(fields);
    return rows;
  }

  it('are the list, or the first list of the object, with the columns of all records', async () => {
    const text =
      '{"n":1,"data":[{"year":2012,"Value":"1,540"},{"Value":"}\\"{","note":true}],"more":[{"a":2}]}';
    expect(await readAll(text)).toEqual([
      ['2012', '1,540', ''],
      ['', '}"{', 'true'],
    ]);
    expect(await readAll('{ "data" : [ ] }')).toEqual([]);
  });

  it('have the columns of the whole records at their beginning, wherever it is cut', () => {
    const lists = fc.array(fc.record({ a: fc.string({ unit: 'grapheme' }), b: fc.array(fc.jsonValue()) }), {
      minLength: 2,
    });
    fc.assert(
      fc.property(lists, fc.nat(3), fc.nat(), (list, indent, more) => {
        const text = JSON.stringify({ data: list.map((record) => ({ c: 1, ...record })) }, null, indent);
        const first = text.indexOf('"b"');
        expect(header!(text.slice(0, first + (more % (text.length - first + 1))))).toEqual(['c', 'a']);
      }),
    );
    for (const text of [
      '',
      'year,Value',
      '[',
      '[]',
      '[{"year":20',
      '[{"year":oops}]',
      '[null]',
      '["year"]',
      '[[1],[2]]',
    ])
      expect(header!(text), text).toEqual([]);
  });

  it.each([
    ['a list that is cut short', '[{"a":1},{"a":2}', 1, 'it is not well-formed JSON'],
    ['texts in place of records', '[{"a":1},"b"]', 3, 'it is not an object such as {"year": 2012}'],
    ['lists in place of records', '{"data":[[1,2],[3,4]]}', 2, 'it is not an object'],
    ['no list', '{"a":1}', 1, 'it is not a list of records in JSON'],
  ])('are refused: %s', async (_, text, line, message) => {
    await expect(readAll(text)).rejects.toMatchObject({ line, message: expect.stringContaining(message) });
  });
});

it('a JSON file of more than a megabyte is recognised by the columns of its beginning', async () => {
  const days = Array.from({ length: 100_000 }, (_, i) => String(2001 + (i % 50)));
  const table = { year: days, 'tonnes (t)': days.map(Number) };
  const document = { ...COLUMNS, json: { at: 'table' }, recognise: { columns: ['year'] } };
  expect(await read({ table }, document)).toHaveLength(days.length);
}, 60_000);
