import { describe, expect, it } from 'vitest';
import { words } from '../capture.js';
import { asking, demoStore, quickStatsStore } from '../stores.js';

const ask = asking(quickStatsStore());
const find = (...argv: string[]) => ask(['find', ...argv]);
const found = async (...argv: string[]) => JSON.parse((await find(...argv, '--json')).stdout);

describe('find', () => {
  it('finds series by name, with the coverage that ranks them', async () => {
    const series = await found('--item', 'corn', '--metric', 'area harvested', '--region', 'iowa');
    expect(series[0]).toMatchObject({
      item_name: 'Corn',
      metric_name: 'Area harvested',
      region_name: 'Iowa',
    });
    expect(series[0].coverage.points).toBe(1);
    expect(series[0].coverage.share).toBeGreaterThan(0.9);
    expect(
      series
        .map(({ source_name }: { source_name: string }) => source_name)
        .slice(0, 2)
        .sort(),
    ).toEqual(['USDA NASS Census', 'USDA NASS Survey']);
  });

  it('accepts ids in place of names, and both together', async () => {
    const [{ item_id, region_id }] = await found('--item', 'corn', '--region', 'iowa');
    const byIds = await found('--item', String(item_id), '--region', String(region_id), '--limit', '100');
    expect(byIds.length).toBeGreaterThan(1);
    for (const one of byIds) expect(one).toMatchObject({ item_id, region_id });
    const mixed = await found(
      '--metric',
      'area harvested',
      '--item',
      String(item_id),
      '--region',
      String(region_id),
    );
    for (const one of mixed) expect(one).toMatchObject({ item_id, region_id, metric_name: 'Area harvested' });
  });

  it('filters by source and frequency', async () => {
    const census = await found('--item', 'corn', '--source', 'census');
    for (const one of census) expect(one.source_name).toBe('USDA NASS Census');
    const monthly = await found('--item', 'corn', '--frequency', 'monthly');
    for (const one of monthly) expect(one.frequency_name).toBe('monthly');
    expect(monthly.length).toBeGreaterThan(0);
  });

  it('names the sources of what is exactly meant, and does not guess another place for one', async () => {
    expect(await find('--item', 'corn', '--region', 'us', '--source', 'faostat')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^error: no source is called "faostat"; available are USDA NASS /),
    });
    expect(await find('--item', 'corn', '--region', 'us', '--frequency', 'daily')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^error: no data series from this source .* available are USDA NASS /),
    });
  });

  it('prints a table whose first column is the key for other commands', async () => {
    const { stdout } = await find('--item', 'corn', '--limit', '2');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(lines).toHaveLength(3);
    expect(lines[0]![0]).toBe('series');
    expect(lines[1]![0]).toMatch(/^\d+(-\d+){5}$/);
    const shown = await ask(['find', '--item', 'corn', '--limit', '2'], {
      terminal: true,
    });
    expect(shown.stdout).toContain(lines[1]![0]);
    expect(shown.stderr).toContain('more series match');
  });

  it('says in a pipe, too, that it lists only the first series', async () => {
    const { stdout, stderr } = await find('--source', 'nass', '--json');
    expect(JSON.parse(stdout)).toHaveLength(20);
    expect(stderr).toBe('note: more series match; the first 20 are listed: use --limit to list more\n');
    expect((await find('--source', 'nass', '--json', '--limit', '2')).stderr).toBe('');
    expect((await find('--source', 'nass', '--json', '--limit', '100000')).stderr).toBe('');
  });

  it('reads a text of several names', async () => {
    for (const words of [['corn', 'area harvested', 'iowa'], ['Area harvested of maize in Iowa']]) {
      const [first] = await found(...words);
      expect(first).toMatchObject({ metric_name: 'Area harvested', item_name: 'Corn', region_name: 'Iowa' });
    }
    const annual = await found('annual corn area harvested iowa');
    expect(new Set(annual.map(({ frequency_name }: { frequency_name: string }) => frequency_name))).toEqual(
      new Set(['annual']),
    );
    const misspelt = await find('korn', 'area harvested', 'iowa');
    expect(misspelt.stderr).toContain('"Corn" was used for the item "korn"');
    expect(await find('corn', 'zzzzqqq', 'iowa')).toMatchObject({
      code: 3,
      stderr: 'error: no name matches "zzzzqqq"; omit it\n',
    });
  });

  it('takes a region by its FIPS or ISO code', async () => {
    for (const [code, name] of [
      ...['19', 'IA', 'US-IA'].map((code) => [code, 'Iowa']),
      ...['US', 'USA', '840'].map((code) => [code, 'United States']),
      ['01001', 'Autauga County, Alabama'],
    ])
      expect((await found('--region', code!))[0], code).toMatchObject({ region_name: name });
  });

  it('reports the name that has no hit', async () => {
    expect(await find('--item', 'zzzzzz', '--region', 'iowa')).toMatchObject({
      code: 3,
      stderr: 'error: no item is called "zzzzzz"\n',
    });
    const hogs = await find('--item', 'hogs', '--region', 'Autauga County');
    expect(hogs).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /^error: no series of item "hogs" \(.*\), region "Autauga County" \(.*\); to list others, run "cropframe find" with fewer words/,
      ),
    });
  });
});

const askDemo = asking(demoStore());

it('lists the dates of the data beside the number of points, and prints the wanted ones as JSON', async () => {
  const argv = words`find corn yield washington --start 2020-01-01 --end 2021-12-31`;
  expect((await askDemo(argv)).stdout).toMatch(/\t2002-01-01\t2011-12-31\t10\t0.0 %\n$/);
  const [series] = JSON.parse((await askDemo([...argv, '--json'])).stdout);
  expect(series).toMatchObject({
    start_date: '2020-01-01T00:00:00.000Z',
    end_date: '2021-12-31T00:00:00.000Z',
  });
});

describe('find --at', () => {
  const at = (place: string, ...argv: string[]) => askDemo(['find', '--at', place, ...argv]);

  it('lists the regions of a place and the nearest weather station', async () => {
    const { stdout } = await at('47.61,-122.33');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(lines.slice(0, 4)).toEqual([
      ['id', 'region', 'level', 'distance'],
      ['153033', 'King County, Washington', 'district', ''],
      ['10053', 'Washington', 'province', ''],
      ['840', 'United States', 'country', ''],
    ]);
    expect(lines[4]!.slice(1, 3)).toEqual(['Seattle weather station', 'nearest weather station']);
    expect(lines[4]![3]).toMatch(/^\d+\.\d km$/);
    // Ids of stations have up to ten digits.
    const series = await askDemo(['find', '--region', lines[4]![0]!, '--json']);
    expect(JSON.parse(series.stdout)[0]).toMatchObject({ region_name: 'Seattle weather station' });
  });

  it('prints the place as JSON, also south of the equator', async () => {
    expect(JSON.parse((await at('-29.31, 27.48', '--json')).stdout)).toMatchObject({
      latitude: -29.31,
      l4_id: null,
      l3_name: 'Lesotho',
    });
  });

  it('says where no region is and no station has data', async () => {
    expect(await ask(['find', '--at', '0,-150'])).toMatchObject({
      code: 3,
      stderr: 'error: no region contains 0, -150; check the latitude and the longitude\n',
    });
  });

  it('refuses what is no place, and words that select series', async () => {
    for (const place of ['Seattle', '91,0', '0,181', '1', '1,2,3', ','])
      expect((await at(place)).code, place).toBe(2);
    const { code, stderr } = await at('47,-122', '--item', 'corn');
    expect([code, stderr.includes('--item')]).toEqual([2, true]);
  });
});
