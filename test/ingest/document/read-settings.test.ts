import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect, pointsOf, unitOf } from '../collect.js';

const METRIC = 'test/fixtures/cdo/cdo-metric.csv';
const cdo = documentImporter('cdo');
const { file } = temporaryFiles();

describe('a setting that the first figures show', () => {
  it('is detected, with a note', async () => {
    const quoted = '"STATION","DATE","PRCP","TMAX"\n"USC00130200","2019-07-01","   56","  306"\n';
    const all = await collect(cdo, { files: [file('USC00130200.csv', quoted)] });
    const [point] = pointsOf(all, { item: 'Temperature max' });
    expect([point!.value, unitOf(all, point!)]).toEqual([30.6, '°C']);
    expect(all.notes).toEqual([
      'the setting "units" of USC00130200.csv is "tenths", as its figures suggest; give another if that is wrong',
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
      'the units of degrees.csv cannot be detected; give the setting "units": standard, metric, tenths',
    );
    const all = await collect(cdo, { files, settings: { units: 'tenths' } });
    expect(pointsOf(all, { item: 'Temperature max' })[0]!.value).toBe(text.includes('86') ? 8.6 : 6.5);
    expect(all.notes).toEqual([]);
  });

  it('is the one that the user gives', async () => {
    const all = await collect(cdo, { files: [METRIC], settings: { units: 'standard' } });
    expect(unitOf(all, pointsOf(all, { item: 'Precipitation' })[0]!)).toBe('in');
  });
});
