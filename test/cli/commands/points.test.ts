import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromParquet } from '../../../src/frame/formats/parquet/read-parquet.js';
import { fromArrow } from '../../../src/frame/formats/read-arrow.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { exactRows } from '../../frame/exact-rows.js';
import { copyRegionStore } from '../../store-templates.js';
import { runCommand, temporaryFolder, words } from '../capture.js';
import { asking, demoStore, quickStatsStore } from '../stores.js';

const demo = demoStore();
const ask = asking(demo);
const { store } = demoStore();
const askQuickStats = asking(quickStatsStore());
const SEATTLE = ['points', '--item', 'Temperature max', '--region', 'Seattle'];
const JUNE = [...SEATTLE, '--start', '2015-06-01', '--end', '2015-06-02'];

describe('points', () => {
  it('writes only CSV to a pipe', async () => {
    const { code, stdout, stderr } = await ask(JUNE);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = exactRows(fromCsv(stdout));
    expect(rows.map(({ start_date, value }) => [start_date, value])).toEqual([
      ['2015-06-01T00:00:00.000Z', 16.1],
      ['2015-06-02T00:00:00.000Z', 17.8],
    ]);
  });

  it('says that nothing was available on a date, and how to list the dates', async () => {
    const { code, stdout, stderr } = await ask([...SEATTLE, '--at-time', '2012-01-01']);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(
      /no points of NOAA daily weather .* were available on 2012-01-01: its figures became available on .* UTC; "cropframe vintages --metric 2 --item 2 --region \d+ --source \d+" lists .* "cropframe find .*" lists other sources/,
    );
    const direct = await runCommand([...SEATTLE, '--at-time', '2012-01-01', '--store', store]);
    expect(direct.stderr).toContain(` --store ${store}" lists the dates on which`);
    const dated = await ask([...JUNE, '--at-time', '2012-01-01']);
    expect(dated.stderr).toMatch(/no points of NOAA .* from 2015-06-01 to 2015-06-02 were available/);
  });

  it('says of the day of a release that a date alone is its beginning', async () => {
    const own = join(temporaryFolder(), 'wasde.duckdb');
    const [december, july] = ['wasde1212.xml', 'wasde0720.xml'].map((name) => `test/fixtures/wasde/${name}`);
    const rejects = ['--max-rejects', '5', '--rejects', join(temporaryFolder(), 'rejects.csv')];
    await copyRegionStore(own);
    await runCommand(['import', 'wasde', december!, july!, '--store', own, ...rejects]);
    const corn = ['points', '--item', 'corn', '--metric', 'ending stocks', '--store', own, '--at-time'];
    const left =
      /became available on 2012-12-11 at 17:00 UTC; a date without a time means 00:00 UTC, so they are omitted/;
    const none = await runCommand([...corn, '2012-12-11']);
    expect(none).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(left) });
    for (const time of ['2012-12-11T23:59:59Z', '2012-12-12'])
      expect(await runCommand([...corn, time])).toMatchObject({ code: 0, stderr: '' });
    const before = await runCommand([...corn, '2012-12-10']);
    expect(before.stderr).toContain(': its figures became available on 2012-12-11 at 17:00 UTC;');
    const [cotton, of2020] = [['--item', 'cotton', '--metric', 'loss', '--region', 'world'], '2020-07-10'];
    const other = await runCommand(['points', ...cotton, '--store', own, '--at-time', of2020]);
    expect(other.stderr).toMatch(/became available on 2020-07-10 at 17:00 UTC; a date without a time/);
  });

  it('names the flag of a key or a name that is given without one', async () => {
    const key = '30-110-10053-0-9-22';
    expect((await ask(['points', key])).stderr).toContain(`use --series ${key}`);
    const named = await ask(['points', 'corn', 'iowa']);
    expect(named).toMatchObject({ code: 2, stdout: '' });
    expect(named.stderr).toContain('"corn iowa" was given without a flag; use --metric, --item or');
  });

  it('shows a preview on a terminal', async () => {
    const { stdout, stderr } = await ask(JUNE, { terminal: true });
    expect(stdout).toContain('long frame · 2 rows');
    expect(stdout).toContain('units: °C');
    expect(stderr).toContain('Seattle weather station');
  });

  it('writes every format by the file extension, with equal figures and sources', async () => {
    const rows = JSON.parse((await ask([...JUNE, '--json'])).stdout);
    expect(rows).toMatchObject([{ value: 16.1 }, { value: 17.8 }]);
    for (const ending of ['csv', 'json', 'parquet', 'arrow']) {
      const out = join(demo.folder, `june.${ending}`);
      expect(await ask([...JUNE, '--out', out])).toEqual({ code: 0, stdout: '', stderr: '' });
      const bytes = readFileSync(out);
      if (ending === 'json') expect(JSON.parse(bytes.toString())).toEqual(rows);
      if (ending === 'csv') expect(exactRows(fromCsv(bytes.toString()))).toEqual(rows);
      if (ending === 'csv' || ending === 'json') continue;
      const frame = ending === 'parquet' ? await fromParquet(bytes) : fromArrow(bytes);
      expect(exactRows(frame)).toEqual(rows);
      expect(frame.summary().sources.map(({ name }) => name)).toEqual(['NOAA daily weather (vega-datasets)']);
    }
    expect(readdirSync(demo.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('converts to a unit by its abbreviation or name', async () => {
    for (const unit of ['°F', 'degree Fahrenheit', '°f']) {
      const { stdout, stderr } = await ask([...JUNE, '--unit', unit, '--json']);
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)[0].value).toBeCloseTo(16.1 * 1.8 + 32, 9);
    }
    const wrong = await ask([...JUNE, '--unit', 'furlong']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('for this series; the units are °C, °F');
    for (const word of ['F', 'Farenheit', 'degree farenheit']) {
      const { code, stderr } = await ask([...JUNE, '--unit', word]);
      expect(code).toBe(2);
      expect(stderr).toContain(`no unit "${word}" for this series; did you mean "°F" (degree Fahrenheit)?`);
    }
    const millimetres = await ask([...JUNE, '--unit', '10', '--json']);
    expect(millimetres).toMatchObject({ code: 2, stdout: '' });
    expect(millimetres.stderr).toMatch(
      /no requested unit fits any of the series; series \S+, for example, is in °C; specify a different unit/,
    );
  });

  it('accepts the key that find prints', async () => {
    const found = await ask(words`find --item ${'Temperature max'} --region Seattle`);
    const key = found.stdout.split('\n')[1]!.split('\t')[0]!;
    const argv = words`points --series ${key} --start 2015-06-01 --end 2015-06-02`;
    expect((await ask(argv)).stdout).toBe((await ask(JUNE)).stdout);
    expect(await ask(['points', '--series', '1-2-3-0-5-6'])).toMatchObject({ code: 3 });
    expect(await ask(['points', '--series', 'corn'])).toMatchObject({ code: 2 });
  });

  it('retrieves the history of a value with its available dates', async () => {
    const argv = words`points --metric yield --item corn --region ${'United States'} --json`;
    const { stdout } = await askQuickStats([...argv, '--available-date', '--history']);
    const rows = JSON.parse(stdout);
    expect(rows.map((row: { reporting_date: string }) => row.reporting_date.slice(0, 10))).toEqual([
      '2013-02-22',
      '2014-01-10',
    ]);
    for (const row of rows)
      expect(Date.parse(row.available_date) - Date.parse(row.reporting_date)).toBe(5 * 3_600_000);
  });

  it('refuses a file whose ending is unknown, unless --format is given', async () => {
    const out = join(demo.folder, 'june.xls');
    const refused = await ask([...JUNE, '--out', out]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('the known extensions are .parquet, .pq, .arrow');
    expect(existsSync(out)).toBe(false);
    expect(await ask([...JUNE, '--out', out, '--format', 'csv'])).toMatchObject({ code: 0 });
  });

  it('reports that there are no points, and writes no file', async () => {
    const out = join(demo.folder, 'nothing.csv');
    const ending = await ask([...SEATTLE, '--start', '2050-01-01', '--out', out]);
    expect(ending).toMatchObject({
      code: 3,
      stdout: '',
      stderr: 'error: there are no points from 2050-01-01; choose another period\n',
    });
    expect(existsSync(out)).toBe(false);
  });

  it.each([
    [['points'], 'specify --series KEY'],
    [['points', '--series', '1-2-3-0-5-6', '--item', 'corn'], 'omit --item'],
    [['points', '--item', 'corn', '--format', 'xls'], 'csv, json, parquet, arrow'],
    [['points', '--item', 'corn', '--json', '--format', 'csv'], 'cannot be combined'],
    [
      ['points', '--item', 'corn', '--store', demo.store, '--host', 'localhost'],
      '--host: cannot be combined with --store',
    ],
  ])('refuses %j', async (argv, message) => {
    const ending = await ask(argv);
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(ending.stderr).toContain(message);
  });

  it.each([
    ['folder.csv', 'it is a folder; specify a file'],
    ['absent/june.csv', 'its folder does not exist; create the folder first'],
    ['folder.csv/file.csv/june.csv', 'part of this path is not a folder'],
  ])('names the place %s, which cannot be written, with the remedy', async (name, reason) => {
    mkdirSync(join(demo.folder, 'folder.csv'), { recursive: true });
    writeFileSync(join(demo.folder, 'folder.csv', 'file.csv'), '');
    const path = join(demo.folder, name);
    expect(await ask([...JUNE, '--out', path])).toMatchObject({
      code: 1,
      stderr: `error: --out: ${path} cannot be written: ${reason}\n`,
    });
  });
});
