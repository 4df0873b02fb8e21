import { expect, it } from 'vitest';
import { defineDataset } from '../../src/ingest/document/define-dataset.js';
import { dryRun } from '../../src/ingest/dry-run.js';
import { checkSettings } from '../../src/ingest/settings.js';
import { temporaryFiles } from '../temporary-files.js';

const { file } = temporaryFiles();

const DOCUMENT = {
  name: 'yields',
  source: { name: 'Yields' },
  settings: {
    unit: { description: 'the unit of the file', words: ['t', 'kg'], default: 't' },
    since: { description: 'the first year', form: '^\\d{4}$', example: '2020' },
  },
  region: { name: 'Iowa', level: 'province' },
  metric: { name: 'Production quantity' },
  item: { name: 'Corn' },
  unit: 'unit',
  start_date: { column: 'year', format: 'YYYY' },
  skip: { since: '1999' },
  values: 'v',
};

it('is a field of every row, with its default or empty', async () => {
  const files = [file('yields.csv', 'year,v\n2020,1.5\n')];
  const { sample: usual } = await dryRun(defineDataset(DOCUMENT), { files });
  expect(usual).toMatchObject([{ value: 1.5, unit: 't' }]);
  const settings = { unit: 'kg', since: '1999' };
  const { notRead } = await dryRun(defineDataset(DOCUMENT), { files, settings });
  expect(notRead).toEqual([{ kind: 'since 1999', count: 1 }]);
});

it.each([
  [{ units: 'kg' }, 'settings.units: yields has no such setting; did you mean unit?'],
  [{ unit: 'lb' }, 'settings.unit: "lb" is not one of its values, which are t, kg'],
  [{ since: '20' }, 'settings.since: "20" is not in the expected form, such as 2020'],
])('is refused unless the data set has it and its value: %o', (settings, message) => {
  expect(() => checkSettings(defineDataset(DOCUMENT), settings)).toThrow(message);
});
