import { describe, expect, it } from 'vitest';
import { openEmbedded } from '../../../src/embedded.js';
import { runCommand, words } from '../capture.js';
import { demoStore } from '../stores.js';

const { store } = demoStore();
const SEASON = ['--start', '2015-05-01', '--end', '2015-09-30'];
const gdd = (...argv: string[]) => runCommand(['gdd', ...argv, '--store', store]);

describe('gdd', () => {
  it('prints the degree days of every region as the client computes them', async () => {
    const argv = [...words`--region Seattle --region ${'New York City'} --base 10 --cap 30`, ...SEASON];
    const { code, stdout } = await gdd(...argv, '--json');
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    const { client, close } = await openEmbedded({ path: store });
    const expected = await client.growingDegreeDays({
      region_name: ['Seattle', 'New York City'],
      base_temperature: 10,
      upper_temperature_cap: 30,
      start_date: '2015-05-01',
      end_date: '2015-09-30',
    });
    await close();
    expect(found.map(({ total }: { total: number }) => total)).toEqual(expected);
    expect(found[0]).toMatchObject({ days: 153, coverage: 1, method: 'average', cutoff: 'horizontal' });
    expect(found[0].daily).toHaveLength(153);
    const table = await gdd(...argv);
    expect(table.stdout).toContain(`Seattle weather station\t${expected[0]!.toFixed(2)}\t°C·d\t153\t100.0 %`);
  });

  it('prints a region once that is named twice', async () => {
    const { stdout } = await gdd(...words`--region Seattle --region Seattle --base 10`, ...SEASON);
    expect(stdout.trim().split('\n')).toHaveLength(2);
  });

  it('warns of a base that no temperature exceeds', async () => {
    const { code, stdout, stderr } = await gdd('--region', 'Seattle', '--base', '50', ...SEASON);
    expect({ code, sum: stdout.includes('\t0.00\t') }).toEqual({ code: 0, sum: true });
    expect(stderr).toContain('no temperature is above the base of 50 °C');
  });

  it('passes on method, cutoff and unit', async () => {
    const argv = [...words`--region Seattle --base 50 --cap 86 --unit fahrenheit`, ...SEASON, '--json'];
    const plain = JSON.parse((await gdd(...argv)).stdout)[0];
    const other = JSON.parse(
      (await gdd(...argv, '--method', 'single-sine', '--cutoff', 'vertical')).stdout,
    )[0];
    expect(other).toMatchObject({
      method: 'single-sine',
      cutoff: 'vertical',
      temperature_unit: 'fahrenheit',
    });
    expect(other.total).not.toBe(plain.total);
  });

  it('needs enough days with data', async () => {
    const argv = ['--region', 'Seattle', '--base', '0', '--start', '2015-12-22', '--end', '2016-01-10'];
    const short = await gdd(...argv);
    expect(short).toMatchObject({ code: 5, stdout: expect.stringMatching(/station\t\t°C·d\t\d+\t50\.0 %/) });
    expect(short.stderr).toMatch(
      /only 50\.0 % of the days have data, so there is no sum; .* lower --coverage\n$/m,
    );
    expect(await gdd(...argv, '--json')).toMatchObject({ code: 5, stdout: '' });
    expect(await gdd(...argv, '--coverage', '0.5')).toMatchObject({ code: 0 });
    expect(await gdd(...argv, '--coverage', '50')).toMatchObject({ code: 2 });
  });

  it('distinguishes a region without temperatures from invalid arguments', async () => {
    expect(await gdd('--region', 'England', '--base', '10', ...SEASON)).toMatchObject({
      code: 3,
      stdout: '',
    });
    expect(await gdd('--region', 'Seattle', '--base', 'warm', ...SEASON)).toMatchObject({ code: 2 });
    expect(await gdd('--region', 'Seattle', ...SEASON)).toMatchObject({ code: 2 });
    expect(await gdd(...words`--region Seattle --base 10 --cutoff vertical`, ...SEASON)).toMatchObject({
      code: 2,
      stderr:
        'error: --cap: cutoff "vertical" requires an upper threshold; set one, or set cutoff to "none"\n',
    });
  });
});
