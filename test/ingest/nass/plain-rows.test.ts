import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { nass } from '../../../src/ingest/nass/nass.js';
import { PlainNassRows } from '../../../src/ingest/nass/plain-rows.js';
import { collect } from '../collect.js';

const folder = mkdtempSync(join(tmpdir(), 'cropframe-plain-nass-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.restoreAllMocks();
});

/** The columns of a bulk file that are read, each with texts that rows may have; the first is the usual one. */
const TEXTS = {
  SOURCE_DESC: ['SURVEY', 'CENSUS', 'SURVEYS'],
  COMMODITY_DESC: ['CORN', 'WHEAT'],
  UNIT_DESC: ['ACRES', 'BU'],
  SHORT_DESC: ['CORN, GRAIN - ACRES HARVESTED', 'WHEAT - PRODUCTION, MEASURED IN BU'],
  DOMAIN_DESC: ['TOTAL', 'ECONOMIC CLASS'],
  DOMAINCAT_DESC: ['NOT SPECIFIED', 'ECONOMIC CLASS: (1,000 TO 2,499 $)'],
  AGG_LEVEL_DESC: ['COUNTY', 'STATE', 'WATERSHED', 'MOON'],
  STATE_FIPS_CODE: ['19', '17', '98'],
  STATE_NAME: ['IOWA', 'ILLINOIS'],
  ASD_CODE: ['10', '20', ''],
  ASD_DESC: ['NORTHWEST'],
  COUNTY_CODE: ['021', '005', '998', ''],
  COUNTY_NAME: ['BUENA VISTA', 'ALLAMAKEE'],
  LOCATION_DESC: ['IOWA, NORTHWEST, BUENA VISTA', 'RED RIVER'],
  YEAR: ['2020', '2019', 'MMXX'],
  REFERENCE_PERIOD_DESC: [
    'YEAR',
    'MARKETING YEAR',
    'WEEK #12',
    'JAN THRU MAR',
    'JAN',
    'YEAR - AUG FORECAST',
    'SPRING',
  ],
  WEEK_ENDING: ['', '2020-03-22', 'soon'],
  LOAD_TIME: ['2013-02-22 12:00:00', '2020-01-10 15:00:00', ''],
  VALUE: ['12,500', '7', '0.25', '(D)', '1,25', 'x', '12345678901234567890', ' 8'],
  'CV_%': ['', '2.1', '(H)'],
} as const;

type Column = keyof typeof TEXTS;
const COLUMNS = Object.keys(TEXTS) as Column[];

/** A row that mostly has the usual texts: few rows would be read otherwise. */
const row = fc.tuple(
  ...COLUMNS.map((column) =>
    fc.oneof({ weight: 8, arbitrary: fc.constant(TEXTS[column][0]) }, fc.constantFrom(...TEXTS[column])),
  ),
);

function writeTable(rows: readonly (readonly string[])[]): string {
  const path = join(folder, 'qs.txt');
  writeFileSync(path, [COLUMNS, ...rows].map((fields) => `${fields.join('\t')}\n`).join(''));
  return path;
}

const read = (path: string) => collect(nass, { files: [path] });

/** How many rows of a file are plain. */
async function countPlain(path: string): Promise<number> {
  const add = vi.spyOn(PlainNassRows.prototype, 'add');
  await read(path);
  return add.mock.results.filter(({ value }) => value === true).length;
}

it('reads rows as it reads them by their fields', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 60 }), async (rows) => {
      const path = writeTable([...rows, ...rows]);
      const plain = await read(path);
      vi.spyOn(PlainNassRows.prototype, 'add').mockReturnValue(false);
      const byFields = await read(path);
      vi.restoreAllMocks();
      expect(plain).toEqual(byFields);
    }),
    { numRuns: 60 },
  );
});

const usual = COLUMNS.map((column) => TEXTS[column][0]);

const WHEAT = { SHORT_DESC: 'WHEAT - PRODUCTION, MEASURED IN BU', UNIT_DESC: 'BU', COMMODITY_DESC: 'WHEAT' };

/** The usual row with some other texts. */
function rowWith(other: Partial<Record<Column, string>>): string[] {
  return COLUMNS.map((column, i) => other[column] ?? usual[i]!);
}

it('takes measure, place, period and remark from different rows', async () => {
  const seen = [
    rowWith({ ...WHEAT, YEAR: '2019' }),
    rowWith({ COUNTY_CODE: '005' }),
    rowWith({ 'CV_%': '2.1', VALUE: '7' }),
  ];
  expect(await countPlain(writeTable(seen))).toBe(0);
  const mixed = rowWith({ ...WHEAT, YEAR: '2019', COUNTY_CODE: '005', 'CV_%': '2.1', VALUE: '1,500' });
  const path = writeTable([...seen, mixed]);
  expect(await countPlain(path)).toBe(1);
  const { points } = await read(path);
  expect(points.find(({ value }) => value === 1500)).toMatchObject({
    start: '2019-01-01',
    metadata: { cv_percent: 2.1 },
  });
});

it('compares no rows with a code, of a place without codes, or of a span that its measure was not read with', async () => {
  const watershed = rowWith({ AGG_LEVEL_DESC: 'WATERSHED' });
  expect(await countPlain(writeTable([watershed, watershed, watershed]))).toBe(0);
  const withheld = rowWith({ VALUE: '(D)' });
  expect(await countPlain(writeTable([usual, withheld, withheld]))).toBe(0);
  const spring = rowWith({ REFERENCE_PERIOD_DESC: 'SPRING' });
  const wheat = rowWith({
    SHORT_DESC: 'WHEAT - PRODUCTION, MEASURED IN BU',
    UNIT_DESC: 'BU',
    COMMODITY_DESC: 'WHEAT',
  });
  const springWheat = rowWith({
    ...Object.fromEntries(COLUMNS.map((column, i) => [column, wheat[i]!])),
    REFERENCE_PERIOD_DESC: 'SPRING',
  });
  expect(await countPlain(writeTable([spring, wheat, springWheat, springWheat]))).toBe(1);
});
