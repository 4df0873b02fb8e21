import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defineDataset, documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { dryRun } from '../../../src/ingest/dry-run.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect, inWords, pointsOf } from '../collect.js';
import { COMMON_KEYS } from './common-keys.js';

const METRIC = 'test/fixtures/cdo/cdo-metric.csv';
const cdo = documentImporter('cdo');
const { file } = temporaryFiles();

describe('a setting that the first figures show', () => {
  it('is detected, with a note', async () => {
    const quoted = '"STATION","DATE","PRCP","TMAX"\n"USC00130200","2019-07-01","   56","  306"\n';
    const all = await collect(cdo, { files: [file('USC00130200.csv', quoted)] });
    const point = inWords(all).find(({ item }) => item === 'Temperature max');
    expect(point).toMatchObject({ value: 30.6, unit: '°C' });
    expect(all.notes).toEqual([
      'the setting "units" for USC00130200.csv was detected as "tenths" from its figures; specify a different value if this is wrong',
    ]);
  });

  it('is detected where lines end with carriage returns alone', async () => {
    const returns = file('returns.csv', readFileSync(METRIC, 'utf8').replace(/\r?\n/g, '\r'));
    const { points } = await collect(cdo, { files: [returns] });
    expect(points).toEqual((await collect(cdo, { files: [METRIC] })).points);
  });

  it.each([
    ['no rule applies', 'STATION,DATE,TMAX\nUSC00130200,2019-07-01,86\n'],
    ['figures speak for several values', 'STATION,DATE,PRCP,TMAX\nUSC00130200,2019-07-01,0.1,65\n'],
  ])('has to be given where %s', async (_, text) => {
    const files = [file('degrees.csv', text)];
    await expect(collect(cdo, { files })).rejects.toThrow(
      'the units of degrees.csv cannot be detected; specify the setting "units": standard, metric, tenths',
    );
    const all = await collect(cdo, { files, settings: { units: 'tenths' } });
    expect(pointsOf(all, { item: 'Temperature max' })[0]!.value).toBe(text.includes('86') ? 8.6 : 6.5);
    expect(all.notes).toEqual([]);
  });

  it.each([
    ['1.5', 'kg'],
    ['15', 't'],
  ])('has its default only where no rule applies: %s', async (figure, unit) => {
    const detect = [{ is: 'kg', some: [{ columns: '^v$', texts: '\\.' }] }];
    const settings = { unit: { description: 'the unit', default: 't', detect } };
    const files = [file('mass.csv', `year,v\n2020,${figure}\n`)];
    const report = await dryRun(defineDataset({ ...COMMON_KEYS, settings, unit: 'unit' }), { files });
    expect(report.units).toEqual([unit]);
  });
});
