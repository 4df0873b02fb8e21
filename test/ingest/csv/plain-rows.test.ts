import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { BatchBuilder } from '../../../src/ingest/batch/batch-builder.js';
import { NameResolver } from '../../../src/ingest/csv/names.js';
import { createNumberParser } from '../../../src/ingest/csv/numbers.js';
import { parseMapping } from '../../../src/ingest/csv/parse-mapping.js';
import { createRowReader } from '../../../src/ingest/csv/rows.js';
import type { ImportBatch } from '../../../src/ingest/importer.js';
import { type RowReader, readTables } from '../../../src/ingest/reading/tables.js';

const folder = mkdtempSync(join(tmpdir(), 'cropframe-plain-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MAPPING = {
  source: { name: 'a table' },
  region: { column: 'state', level: 'province' },
  start_date: { column: 'month', format: 'YYYY-MM' },
  metric: { name: 'Production' },
  item: { column: 'crop' },
  unit: { name: 'tonne' },
  value: 'tonnes',
  missing: ['-9999', 'n/a'],
};

/** What a table is read as, and how many of its rows were plain; or all rows by their fields. */
async function read(bytes: Uint8Array, mapping: object, readsPlain: boolean) {
  const path = join(folder, 'table.csv');
  writeFileSync(path, bytes);
  const batch = new BatchBuilder();
  const parsed = parseMapping({ ...MAPPING, ...mapping });
  const job = {
    mapping: parsed,
    names: await NameResolver.create(batch, { rule: parsed.names }),
    locator: null,
    batch,
    parseNumber: createNumberParser(parsed.numbers),
    importedMs: Date.UTC(2026, 0, 1),
    sourceId: 7,
    units: new Map<string, number>(),
    unknownUnits: new Map<string, string>(),
    croplessUnits: new Map<string, string>(),
    hasTypes: false,
  };
  let plain = 0;
  const format = {
    name: 'a table',
    delimiter: parsed.delimiter,
    quotes: true,
    matches: () => true,
    createRowReader(header: readonly string[], { name }: { name: string }): RowReader {
      const reader = createRowReader(header, name, job);
      const { addPlain } = reader;
      const byFields: RowReader = (fields) => reader(fields);
      if (!readsPlain || addPlain === undefined) return byFields;
      return Object.assign(byFields, {
        addPlain: (record: Parameters<typeof addPlain>[0]) => {
          const isPlain = addPlain(record);
          if (isPlain) plain++;
          return isPlain;
        },
      });
    },
    valueColumns: () => ({ read: 1, notRead: ['note'] }),
  };
  const batches: ImportBatch[] = [];
  for await (const one of readTables({ dataset: 'csv', files: [path] }, [format], batch)) batches.push(one);
  return { batches, plain };
}

const quoted = (text: string): string => `"${text}"`;

/** Mostly rows that are in order, and some of each kind that is not. */
const row = fc
  .record({
    state: fc.constantFrom(
      'Iowa',
      'Iowa',
      quoted('Iowa'),
      'Ohio',
      ' Iowa ',
      quoted('Io""wa'),
      'Córdoba',
      'Nowhere',
      '',
      '"Io"wa',
    ),
    month: fc.constantFrom('2020-01', '2020-01', '2020-02', quoted('2020-02'), '2020-13', '2020', ''),
    crop: fc.constantFrom('Corn', 'Corn', 'Soybeans', 'Corns'),
    tonnes: fc.constantFrom(
      '1.5',
      '2',
      '-0',
      quoted('7'),
      quoted('1,234'),
      '-9999',
      '-9999.0',
      'n/a',
      '',
      '1e3',
      '1E400',
      '12 p',
      'x',
      '9'.repeat(20),
    ),
    rest: fc.constantFrom(',a', ',a', ',b', ',"c\nd"', ',', '', ',a,b'),
    end: fc.constantFrom('\n', '\n', '\r\n', '\n\n', '\r\n\r\n'),
  })
  .map(({ state, month, crop, tonnes, rest, end }) => `${state},${month},${crop},${tonnes}${rest}${end}`);

const MAPPINGS: readonly object[] = [
  {},
  { flag: { after_value: true } },
  { flag: 'note' },
  { available_date: { equal_to: 'end_date' } },
  { available_date: { column: 'month', format: 'YYYY-MM' } },
  { reporting_date: { column: 'month', format: 'YYYY-MM' } },
  { end_date: { column: 'month', format: 'YYYY-MM' } },
  { only: { month: ['2020-01'] } },
  { only: { crop: ['Corn'] } },
  { skip: { tonnes: ['2'] } },
  { decimal: ',' },
];

describe('PlainRows', () => {
  it('adds what rows are read as by their fields', async () => {
    const text = fc.tuple(fc.constantFrom('', '\uFEFF'), fc.array(row, { minLength: 1, maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...MAPPINGS), async ([mark, rows], mapping) => {
        const bytes = Buffer.from(`${mark}state,month,crop,tonnes,note\n${rows.join('')}`);
        const { batches } = await read(bytes, mapping, true);
        expect(batches).toEqual((await read(bytes, mapping, false)).batches);
      }),
      { numRuns: 60 },
    );
  });

  it('reads all rows but the first of each crop and state, or month', async () => {
    const rows = ['2020-01', '2020-02', '2020-03'].flatMap((month) =>
      ['Iowa', 'Ohio'].map((state, i) => `${state},${month},Corn,${i},${month}`),
    );
    const bytes = Buffer.from(`state,month,crop,tonnes,note\n${rows.join('\n')}\n`);
    expect((await read(bytes, {}, true)).plain).toBe(6 - 2 - 2);
  });

  it('reads rows by their fields where the column of dates is something else as well', async () => {
    const bytes = Buffer.from(`state,month,crop,tonnes,note\n${'Iowa,2020-01,Corn,1,\n'.repeat(3)}`);
    const mapping = { reporting_date: { column: 'month', format: 'YYYY-MM' } };
    expect((await read(bytes, mapping, true)).plain).toBe(0);
  });
});
