import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromParquet } from '../../src/index.js';
import { exactRows } from '../frame/exact-rows.js';
import { solve } from '../linear-equations.js';
import { csvRows, dayHeat, importTable, outputOf, runScript, temporaryFolder } from './scripts.js';

const { folder, remove } = temporaryFolder();
const store = join(folder, 'six.duckdb');
const table = (name: string) => join(folder, name);

beforeAll(() => {
  outputOf('made-up-data', folder, '2000', '2009');
  importTable(store, table('weather.csv'), table('weather.json'));
  importTable(store, table('corn.csv'), table('corn.json'));
});
afterAll(remove);

/** Sums by key in the order of first appearance. */
function sumBy(
  rows: readonly Record<string, string>[],
  key: (row: Record<string, string>) => string,
  value: (row: Record<string, string>) => number,
) {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0) + value(row));
  return sums;
}

/** Each year's yield, degree days and rain, weighted by the mean area, from the tables alone. */
function yearsOf(corn: readonly Record<string, string>[], weather: readonly Record<string, string>[]) {
  const areas = sumBy(
    corn,
    ({ place }) => place!,
    ({ area }) => Number(area),
  );
  const all = [...areas.values()].reduce((sum, area) => sum + area, 0);
  const share = (place: string) => areas.get(place)! / all;
  const ofDay = (row: Record<string, string>) => row.day!.slice(0, 4);
  const heat = sumBy(weather, ofDay, (row) => share(row.place!) * dayHeat(row));
  const rain = sumBy(weather, ofDay, (row) => share(row.place!) * Number(row.rain));
  const yields = sumBy(
    corn,
    ({ year }) => year!,
    (row) => share(row.place!) * Number(row.yield),
  );
  return [...yields].map(([year, y]) => ({
    year: Number(year),
    y,
    x: [1, heat.get(year)!, rain.get(year)!],
  }));
}

function solveNormal(rows: readonly { x: number[]; y: number }[]): number[] {
  const columns = rows[0]!.x.map((_, i) => i);
  const normal = columns.map((i) => columns.map((j) => rows.reduce((sum, { x }) => sum + x[i]! * x[j]!, 0)));
  const right = columns.map((i) => rows.reduce((sum, { x, y }) => sum + x[i]! * y, 0));
  return solve(normal, right);
}

const predict = (coefficients: readonly number[], x: readonly number[]) =>
  x.reduce((sum, value, at) => sum + coefficients[at]! * value, 0);

describe('the yield regression', () => {
  it('has the coefficients and left-out errors of the normal equations of its tables', () => {
    const output = outputOf('yield-regression', store, join(folder, 'regression'));
    const years = yearsOf(csvRows(table('corn.csv')), csvRows(table('weather.csv')));
    const [base, heat, rain] = solveNormal(years);
    const found = output
      .match(/yield = (\S+) \+ (\S+) × degree days \+ (\S+) × rain/)!
      .slice(1)
      .map(Number);
    expect(found[0]).toBeCloseTo(base!, 4);
    expect(found[1]).toBeCloseTo(heat!, 6);
    expect(found[2]).toBeCloseTo(rain!, 6);
    const rows = csvRows(join(folder, 'regression', 'yield-regression.csv'));
    expect(rows).toHaveLength(10);
    const errors = years.map(({ year, x, y }, at) => {
      const predicted = predict(solveNormal(years.filter((one) => one.year !== year)), x);
      const row = rows[at]!;
      expect([row.year, row.yield, row.degree_days, row.rain].map(Number)).toEqual(
        [year, y, x[1]!, x[2]!].map((value) => expect.closeTo(value, 7)),
      );
      expect(Number(row.predicted)).toBeCloseTo(predicted, 6);
      return predicted - y;
    });
    const rms = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length);
    expect(output).toContain(`error of the regression  ${rms.toFixed(4)}`);
  });

  it('takes the weather of a station in °F and inches for a region without its own', () => {
    const days = Array.from({ length: 6 }, (_, year) =>
      Array.from({ length: 153 }, (__, day) => {
        const date = new Date(Date.UTC(2012 + year, 4, 1 + day)).toISOString().slice(0, 10);
        return `S1,42.03,-93.8,Ames mill,${date},${84 + ((year * 7) % 5)},${60 + ((day + year) % 3)},${0.1 + 0.02 * ((year * 5 + day) % 4)}`;
      }),
    );
    writeFileSync(table('ames.csv'), ['station,lat,lon,name,day,high,low,rain', ...days.flat()].join('\n'));
    const item = (column: string, name: string, unit: string, metric = 'Temperature') => ({
      column,
      metric: { name: metric },
      item: { name },
      unit: { name: unit },
    });
    const station = {
      source: { name: 'Mill' },
      region: { station: 'station', latitude: 'lat', longitude: 'lon', name: 'name' },
      start_date: { column: 'day', format: 'YYYY-MM-DD' },
      values: [
        item('high', 'Temperature max', '°F'),
        item('low', 'Temperature min', '°F'),
        item('rain', 'Precipitation', 'inch', 'Precipitation'),
      ],
    };
    writeFileSync(table('ames.json'), JSON.stringify(station));
    const yields = Array.from({ length: 6 }, (_, year) => `Iowa,${2012 + year},1000,${150 + year}`);
    writeFileSync(table('iowa.csv'), ['state,year,acres,yield', ...yields].join('\n'));
    const corn = {
      source: { name: 'Board' },
      region: { column: 'state' },
      item: { name: 'Corn' },
      start_date: { column: 'year', format: 'YYYY' },
      values: [
        { column: 'acres', metric: { name: 'Area harvested' }, unit: { name: 'acre' } },
        { column: 'yield', metric: { name: 'Yield' }, unit: { name: 'bu/ac (corn)' } },
      ],
    };
    writeFileSync(table('iowa.json'), JSON.stringify(corn));
    const own = join(folder, 'ames.duckdb');
    importTable(own, table('ames.csv'), table('ames.json'));
    importTable(own, table('iowa.csv'), table('iowa.json'));
    const out = join(folder, 'ames');
    expect(outputOf('yield-regression', own, out, 'Iowa=Ames mill')).toContain('× rain in mm');
    const [first] = csvRows(join(out, 'yield-regression.csv'));
    // The days of 2012: a high of 84 °F, lows of 60 to 62 °F; 0.1 to 0.16 inches of rain.
    const low = (day: number) => 60 + (day % 3);
    const span = Array.from({ length: 153 }, (_, day) => day);
    const heat = span.reduce((sum, day) => sum + ((84 + low(day)) / 2 - 32) / 1.8 - 10, 0);
    const rain = span.reduce((sum, day) => sum + 25.4 * (0.1 + 0.02 * (day % 4)), 0);
    expect(first!.weather).toBe('Iowa: Ames mill');
    expect([Number(first!.degree_days), Number(first!.rain)]).toEqual([
      expect.closeTo(heat, 6),
      expect.closeTo(rain, 6),
    ]);
    const late = runScript('backtest', own, out, 'Iowa=Ames mill');
    expect([late.status, late.stderr]).toEqual([
      1,
      expect.stringMatching(
        /known in their time: the weather became available from \d{4}-.*"available_date"/,
      ),
    ]);
    expect(runScript('yield-regression', own, out, 'Iowa').stderr).toContain('Iowa=STATION');
  });

  it('names the series that a store does not have, and a store that is not there', () => {
    const missing = runScript('yield-regression', join(folder, 'none.duckdb'), folder);
    expect([missing.status, missing.stderr]).toEqual([
      1,
      expect.stringMatching(/there is no store .*none\.duckdb/),
    ]);
    const unnamed = runScript('yield-regression');
    expect([unnamed.status, unnamed.stderr]).toEqual([2, expect.stringContaining('STORE|HOST FOLDER')]);
  });
});

describe('the backtest', () => {
  const forecasts = async (name: string) => {
    outputOf('backtest', store, join(folder, name));
    return exactRows(await fromParquet(readFileSync(join(folder, name, 'forecasts.parquet'))));
  };

  it('forecasts from what was known on each date, and later revisions change nothing before them', async () => {
    const before = await forecasts('before');
    const corn = csvRows(table('corn.csv'));
    const weather = csvRows(table('weather.csv'));
    expect(before).toHaveLength(5 * 4);
    for (const row of before) {
      const at = String(row.at_time).slice(0, 10);
      const until = String(row.weather_until).slice(5, 10);
      const known = yearsOf(
        corn.filter(({ available }) => available! <= at),
        weather.filter(({ day, available }) => available! <= at && day!.slice(5) <= until),
      );
      const coefficients = solveNormal(known.map(({ x, y }) => ({ y, x: x.slice(0, 2) })));
      expect(row.years).toBe(known.length);
      expect(row.forecast).toBeCloseTo(predict(coefficients, [1, Number(row.degree_days)]), 6);
    }

    // A yield, an area and a hot week are revised in March 2008.
    const [cornHead, weatherHead] = ['corn', 'weather'].map(
      (name) => readFileSync(table(`${name}.csv`), 'utf8').split('\n')[0],
    );
    writeFileSync(table('corn-2.csv'), `${cornHead}\nIowa,2004,9999,12.5,2008-03-01\n`);
    writeFileSync(table('weather-2.csv'), `${weatherHead}\n`);
    for (let day = 10; day < 17; day++)
      appendFileSync(table('weather-2.csv'), `Iowa,2004-05-${day},20,34,0,2008-03-01\n`);
    importTable(store, table('corn-2.csv'), table('corn.json'));
    importTable(store, table('weather-2.csv'), table('weather.json'));
    const after = await forecasts('after');
    const early = (row: (typeof after)[number]) => String(row.at_time) < '2008-03';
    expect(after.filter(early)).toEqual(before.filter(early));
    expect(before.filter(early)).toHaveLength(3 * 4);
    for (const [at, row] of after.entries())
      if (!early(row)) expect(row.forecast).not.toBe(before[at]!.forecast);
  });
});
