import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cdo } from '../../../src/ingest/cdo/cdo.js';
import { temporaryFiles } from '../../temporary-files.js';
import { type Collected, collect, named, pointsOf, unitOf } from '../collect.js';

const STANDARD = 'test/fixtures/cdo/cdo-standard.csv';
const METRIC = 'test/fixtures/cdo/cdo-metric.csv';
const { file } = temporaryFiles();

function values(all: Collected, item: string): unknown[][] {
  return pointsOf(all, { item }).map((point) => [
    point.start,
    point.value,
    unitOf(all, point),
    point.metadata,
  ]);
}

describe('cdo', () => {
  it('detects standard and metric units by the decimals', async () => {
    const standard = await collect(cdo, { files: [STANDARD] });
    expect(values(standard, 'Temperature max')).toEqual([
      ['2018-07-08', 126, '°F', null],
      ['2018-07-09', null, '°F', { quality: 'I', withheld: 127 }],
    ]);
    expect(values(standard, 'Precipitation')).toEqual([
      ['2018-07-08', 0, 'in', { measurement: 'T' }],
      ['2018-07-09', 0.12, 'in', null],
    ]);
    const metric = await collect(cdo, { files: [METRIC] });
    expect(values(metric, 'Temperature max')[0]).toEqual(['2018-07-08', 18.3, '°C', null]);
    expect(values(metric, 'Temperature min')).toHaveLength(1);
    expect(values(metric, 'Precipitation')[1]).toEqual(['2018-07-09', 2.4, 'mm', null]);
  });

  it('reads the files by station of NCEI, whose figures are tenths with their flags beside them', async () => {
    const all = await collect(cdo, { files: ['test/fixtures/cdo/USW00094728.csv'] });
    expect(values(all, 'Precipitation')).toEqual([
      ['1869-01-01', 19.1, 'mm', null],
      ['1869-01-02', 0.8, 'mm', null],
      ['1869-01-03', 0, 'mm', { measurement: 'T' }],
      ['2026-09-03', 3, 'mm', null],
    ]);
    expect(values(all, 'Temperature max').slice(-2)).toEqual([
      ['1869-01-03', null, '°C', { quality: 'I', withheld: 1.7 }],
      ['2026-09-03', 28.9, '°C', null],
    ]);
    expect(values(all, 'Snowfall')[0]).toEqual(['1869-01-01', 229, 'mm', null]);
  });

  it('detects units where lines end with carriage returns alone', async () => {
    const returns = file('returns.csv', readFileSync(METRIC, 'utf8').replace(/\r?\n/g, '\r'));
    const all = await collect(cdo, { files: [returns] });
    expect(all.points).toEqual((await collect(cdo, { files: [METRIC] })).points);
  });

  it('reads whole numbers as tenths, as files by station have them, and notes the units', async () => {
    const content = [
      '"STATION","DATE","LATITUDE","LONGITUDE","ELEVATION","NAME","PRCP","PRCP_ATTRIBUTES","SNWD","TMAX"',
      '"USC00130200","2019-07-01","42.0208","-93.7741","335.0","AMES 8 WSW, IA US","   56",",,7,0700","   10","  306"',
    ];
    const all = await collect(cdo, { files: [file('USC00130200.csv', `${content.join('\n')}\n`)] });
    const figures = ['Temperature max', 'Precipitation', 'Snow on the ground'].map(
      (item) => values(all, item)[0],
    );
    expect(figures).toEqual([
      ['2019-07-01', 30.6, '°C', null],
      ['2019-07-01', 5.6, 'mm', null],
      ['2019-07-01', 10, 'mm', null],
    ]);
    expect(all.notes).toEqual([expect.stringMatching(/^USC00130200.csv is read in tenths of °C and mm, by/)]);
  });

  it('reads names, dates, flags and missing values of older files', async () => {
    const flags = 'Measurement Flag,Quality Flag,Source Flag,Time of Observation';
    const rows = [
      `STATION,STATION_NAME,DATE,PRCP,${flags},TMAX,${flags}`,
      'GHCND:USC00130200,AMES 8 WSW IA US,20120102,15,T, ,7,700,-9999, , , ,9999',
      'GHCND:USC00130200,AMES 8 WSW IA US,20120103,-9999.0, , ,7,700,180, ,I,7,700',
    ];
    const all = await collect(cdo, { files: [file('older.csv', `${rows.join('\n')}\n`)] });
    expect(values(all, 'Precipitation')).toEqual([['2012-01-02', 1.5, 'mm', { measurement: 'T' }]]);
    expect(values(all, 'Temperature max')).toEqual([
      ['2012-01-03', null, '°C', { quality: 'I', withheld: 18 }],
    ]);
    expect([...all.notRead]).toContainEqual(['missing values (-9999)', 2]);
    expect(named(all.entities.regions, 'AMES 8 WSW IA US').belongsTo).toEqual([10_019]);
  });

  it('refuses whole degrees that may be °F or tenths of °C, or °C without their decimals', async () => {
    const rows = file('degrees.csv', 'STATION,DATE,TMAX\nUSC00130200,2019-07-01,86\n');
    const unlike = file('unlike.csv', 'STATION,DATE,PRCP,TMAX\nUSC00130200,2019-07-01,0.1,65\n');
    for (const name of [rows, unlike])
      await expect(collect(cdo, { files: [name] })).rejects.toThrow(
        /the units of \w+.csv cannot be detected; give the setting "units": standard/,
      );
    const all = await collect(cdo, { files: [rows], settings: { units: 'tenths' } });
    expect(values(all, 'Temperature max')).toEqual([['2019-07-01', 8.6, '°C', null]]);
  });

  it('uses the units of the settings', async () => {
    const all = await collect(cdo, { files: [METRIC], settings: { units: 'standard' } });
    expect(values(all, 'Temperature max')[0]![2]).toBe('°F');
  });

  it('locates the station, with the same id as in GHCN-Daily', async () => {
    const all = await collect(cdo, { files: [STANDARD] });
    const station = named(all.entities.regions, 'DEATH VALLEY, CA US');
    expect(station).toMatchObject({
      belongsTo: [106_027],
      aliases: ['USC00042319', 'GHCND:USC00042319', 'DEATH VALLEY'],
    });
  });

  it('rejects rows as a whole', async () => {
    const all = await collect(cdo, { files: [STANDARD] });
    expect(all.rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [4, 'the date "2018-07-32" is not a date'],
      [5, 'the TMAX "hot" is not a number'],
    ]);
    expect(values(all, 'Precipitation')).toHaveLength(2);
  });
});
