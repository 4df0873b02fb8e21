import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentJsonSchema } from '../../../src/ingest/document/form.js';
import { parseDataSet, parseForm } from '../../../src/ingest/document/parse-form.js';
import { describeKeys } from './key-meanings.js';

const MINIMUM = {
  source: { name: 'mine' },
  region: 'place',
  metric: { name: 'Yield' },
  item: 'crop',
  unit: { name: 't/ha' },
  start_date: 'day',
  values: 'figure',
};

describe('parseForm', () => {
  it('adds defaults', () => {
    expect(parseForm(MINIMUM)).toMatchObject({
      delimiter: ',',
      filters: [],
      definitions: { metrics: [], items: [], regions: [], units: [] },
      source: { name: 'mine', longName: 'mine', licence: 'unknown', citation: 'mine', url: '' },
      region: { column: 'place' },
      values: [
        { column: 'figure', metric: { name: 'Yield' }, item: { column: 'crop' }, unit: { name: 't/ha' } },
      ],
      start_date: { column: 'day', formats: ['YYYY-MM-DD'] },
      periods: new Map([
        [
          'YYYY-MM-DD',
          {
            frequency: { id: 1, name: 'daily', abbrev: 'd', periodLength: { days: 1 } },
            areYears: false,
            firstMonth: 1,
            isLastDay: false,
          },
        ],
      ]),
      decimal: '.',
      missing: { nulls: ['NA'], absent: [] },
    });
  });

  it.each([
    [{ source: undefined }, 'source is missing'],
    [{ region: 7 }, 'region must be a column, { "name": … } to use one region for all rows, or a place'],
    [{ region: { column: 'x', level: 'moon' } }, 'region.level must be one of "world", "continent"'],
    [
      { region: { column: 'x', code: 'fips', within: 'y' } },
      '"within" is not a key of region; the keys are column, code, names, others',
    ],
    [
      { start_date: { column: 'x', format: 'YYYY-mm' } },
      'start_date.format "YYYY-mm" is not a date format; combine YYYY, YY, MM, Mon,',
    ],
    [
      { start_date: { column: 'x', format: 'YYYY/YY' } },
      'first_month is missing: specify the month in which years in the format YYYY/YY begin',
    ],
    [{ end_date: { column: 'x', format: 'YYYY/YY' } }, 'end_date.format "YYYY/YY" contains two years'],
    [
      { start_date: { year: 'y', day: 'd' } },
      'start_date must have a year and, optionally, a month, a month and a day, or one other part',
    ],
    [
      { available_date: { after: 'reporting_date' } },
      'available_date is after reporting_date, which is missing; specify its column',
    ],
    [
      { region: { station: { name: 'G1' }, latitude: 95, longitude: 'lon' } },
      'region.latitude must be a column, or degrees from -90 to 90',
    ],
    [
      { available_date: { after: 'end_date', until: '2013-02-30' } },
      'available_date.until must be a day, such as 2024-01-31',
    ],
    [{ first_month: 13 }, 'first_month must be a whole number from 1 to 12'],
    [{ item: { column: 'crop', names: { a: 1 } } }, 'item.names.a must be a string'],
    [{ start_date: { header: 'YYYY' } }, 'values must be omitted'],
    [{ decimal: '.', thousands: '.' }, 'thousands must not be the decimal separator'],
    [{ metric: undefined }, 'metric is missing: specify a column, or use { "name": … }'],
    [{ metrix: 'x' }, '"metrix" is not a key; did you mean "metric"?'],
    [{ values: [{ colum: 'x' }] }, '"colum" is not a key of values[0]; did you mean "column"?'],
    [{ item: '{crop:uper}' }, 'item has {crop:uper}; did you mean "upper"?'],
    [
      { item: { column: 'crop', define: { name: '{text:title case}' } } },
      'item has {text:title case}; the forms are lower, upper, plain,',
    ],
    [
      { lookup: { crop: { column: '{kind}', names: {} } }, split: { crop: '(?<kind>.)' } },
      'kind is derived from itself; choose another name',
    ],
    [{ lookup: { crop: { column: 'crop', names: {} } } }, 'crop is derived from itself'],
    [{ cases: [{ when: { crop: 'a' } }] }, 'cases[0] has no effect: besides "when"'],
    [{ missing: { '-': 'none' } }, 'missing.- must be null or "no point"'],
    ['no object', 'the root must be an object'],
  ])('names the invalid key: %#', (json, message) => {
    expect(() => parseForm(typeof json === 'string' ? json : { ...MINIMUM, ...json })).toThrow(
      `document: ${message}`,
    );
  });

  it('refuses keys of the whole document in one of its forms', () => {
    expect(() => parseDataSet({ forms: [MINIMUM, { ...MINIMUM, settings: {} }] })).toThrow(
      'document: forms.settings applies to all forms; move it out of "forms"',
    );
  });

  it('refuses one of thousands of levels by name', () => {
    let nested: unknown = 'x';
    for (let level = 0; level < 4_000; level++) nested = { within: nested };
    expect(() => parseForm({ ...MINIMUM, region: { column: 'x', within: nested } })).toThrow(
      'document: "within" is not a key of region.within; the keys are column, names',
    );
  });
});

it('has a schema for editors, which the documentation ships (vitest -u renews it)', async () => {
  const schema = `${JSON.stringify(describeKeys(documentJsonSchema()), null, 2)}\n`;
  await expect(schema).toMatchFileSnapshot(resolve('docs/dataset.schema.json'));
  expect(parseForm({ $schema: 'dataset.schema.json', ...MINIMUM })).toEqual(parseForm(MINIMUM));
});
