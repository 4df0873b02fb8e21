import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCountyStore } from '../../journeys/county-store.js';
import { temporaryFolder } from '../capture.js';
import { asking } from '../stores.js';

/** Two counties of Wisconsin with 1000 and 2000 acres of corn, and 100 bushels an acre each. */
const store = join(temporaryFolder(), 'counties.duckdb');
beforeAll(() => createCountyStore(store));
const ask = asking({ store });

const CORN_YIELD = ['--metric', 'Yield', '--item', 'Corn', '--weight', 'Area harvested'];
const COUNTIES = ['--region', 'Iowa County, Wisconsin', '--region', 'Grant County, Wisconsin'];
const weigh = (...argv: string[]) => ask(['area-weighting', ...argv]);
const rowsOf = (stdout: string) => JSON.parse(stdout);

describe('area-weighting', () => {
  it('sums value × weight over the regions, in the product of the units', async () => {
    const { code, stdout, stderr } = await weigh(...CORN_YIELD, ...COUNTIES, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const years = [2002, 2003].map((year) => ({
      start_date: `${year}-01-01T00:00:00.000Z`,
      value: 100 * 1000 + 100 * 2000,
      unit: 'bu/ac (corn) × ac',
      weight_present: 1,
    }));
    expect(rowsOf(stdout)).toMatchObject(years);
  });

  it('normalizes, in the unit of what is weighted, for a period', async () => {
    const argv = ['--method', 'normalize', '--start', '2003-01-01', '--json'];
    const { stdout } = await weigh(...CORN_YIELD, ...COUNTIES, ...argv);
    expect(rowsOf(stdout)).toMatchObject([{ value: 100, unit: 'bu/ac (corn)', weight_present: 1 }]);
  });

  it('takes weights of another item', async () => {
    const heat = ['--metric', 'Temperature', '--item', 'Temperature max', '--weight', 'corn: area harvested'];
    const { code, stdout } = await weigh(...heat, ...COUNTIES, '--method', 'normalize');
    expect(code).toBe(0);
    const [heading, first, ...rest] = stdout.trimEnd().split('\r\n');
    expect(heading).toBe('start_date,end_date,value,unit,weight_present,available_date');
    expect(first).toMatch(/^2015-05-01T00:00:00.000Z,2015-05-01T.*,20,°C,1,/);
    expect(rest).toHaveLength(9);
  });

  it('reports regions that take no part, and never takes a county for a state', async () => {
    const argv = ['--method', 'normalize', '--region', 'Iowa', '--json'];
    const { code, stdout, stderr } = await weigh(...CORN_YIELD, ...COUNTIES, ...argv);
    expect(code).toBe(5);
    expect(stderr).toBe(
      'warning: Iowa has no data\nwarning: Iowa has no value to weight by, so its weight is 0\n',
    );
    expect(rowsOf(stdout)).toMatchObject([{ value: 100 }, { value: 100 }]);
    expect(await weigh(...CORN_YIELD, '--region', 'Iowa')).toMatchObject({ code: 3, stdout: '' });
  });

  it('says what it took for a guess, and nothing of a synonym', async () => {
    const argv = ['--metric', 'Yeild', '--item', 'maize', '--weight', 'Area harvested', ...COUNTIES];
    const { code, stderr } = await weigh(...argv);
    expect(code).toBe(0);
    expect(stderr).toBe('warning: "Yield" was used for the metric "Yeild"\n');
  });

  it('says that nothing is found, and which option is missing or wrong', async () => {
    expect(await weigh(...CORN_YIELD, ...COUNTIES, '--frequency', 'daily')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no data series for Corn, Yield'),
    });
    expect(await weigh(...CORN_YIELD, ...COUNTIES, '--start', '2020-01-01')).toMatchObject({ code: 3 });
    expect(await weigh(...CORN_YIELD)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--region'),
    });
  });
});
