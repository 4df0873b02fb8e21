import { join } from 'node:path';
import readWorkbook from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { asking, quickStatsStore } from '../stores.js';

const quickStats = quickStatsStore();
const { folder } = quickStats;
const ask = asking(quickStats);
const table = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));

describe('list', () => {
  const list = (...argv: string[]) => ask(['list', ...argv]);

  it('writes CSV for programs, and the same rows as JSON', async () => {
    const { code, stdout, stderr } = await list('--item', 'corn');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [titles, ...lines] = stdout.trimEnd().split('\r\n');
    expect(titles).toBe(
      'source_id,source_name,metric_id,metric_name,item_id,item_name,frequency_id,frequency_name,' +
        'region_level,region_level_name,regions,series,points,start_date,end_date',
    );
    const rows = JSON.parse((await list('--item', 'corn', '--json')).stdout);
    expect(rows).toHaveLength(lines.length);
    const levels = rows.map((row: { region_level_name: string }) => row.region_level_name);
    expect(levels).toEqual(expect.arrayContaining(['country', 'province', 'district']));
  });

  it('is a table on a terminal', async () => {
    const { stdout } = await ask(['list', '--item', 'corn'], { terminal: true });
    expect(stdout).toMatch(/^source +metric +item +frequency +level +regions +series +from +to\n/);
    expect(stdout).toContain('2012-01-01  20');
  });

  it('writes a workbook, whose rows are those of the JSON', async () => {
    const path = join(folder, 'catalogue.xlsx');
    expect(await list('--item', 'corn', '--out', path)).toMatchObject({ code: 0, stdout: '' });
    const [{ data } = { data: [] }] = await readWorkbook(path);
    const rows: Record<string, unknown>[] = JSON.parse((await list('--item', 'corn', '--json')).stdout);
    expect(data.slice(1)).toEqual(
      rows.map(({ start_date, end_date, ...row }) => [
        ...Object.values(row),
        new Date(String(start_date)),
        new Date(String(end_date)),
      ]),
    );
  });

  it('refuses options of CSV for a workbook, and a workbook on a terminal', async () => {
    const safe = await list('--safe-csv', '--out', join(folder, 'safe.xlsx'));
    expect(safe).toMatchObject({ code: 2, stderr: expect.stringContaining('--safe-csv is only for CSV') });
    const argv = ['list', '--format', 'xlsx'];
    expect((await ask(argv, { terminal: true })).stderr).toContain('xlsx is a binary format');
  });
});

describe('search', () => {
  const search = (...argv: string[]) => ask(['search', ...argv]);

  it('lists the best hit first, tab-separated for programs', async () => {
    const { code, stdout, stderr } = await search('items', 'corn');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [titles, first] = stdout.split('\n').map((line) => line.split('\t'));
    expect(titles).toEqual(['id', 'name', 'series', 'definition']);
    expect(first![1]).toBe('Corn');
    expect(Number(first![2])).toBeGreaterThan(0);
  });

  it('aligns columns on a terminal, and shows what contains a region', async () => {
    const { stdout } = await ask(['search', 'regions', 'iowa', '--limit', '1'], {
      terminal: true,
    });
    const [titles, row] = stdout.split('\n');
    expect(titles).toMatch(/^ *id {2}name +series +level +in$/);
    expect(row).toMatch(/\d {2}Iowa +\d+ +province +United States$/);
    expect(row!.indexOf('Iowa')).toBe(titles!.indexOf('name'));
  });

  it('prints whole entities as JSON, up to the limit', async () => {
    const { stdout } = await search('sources', 'usda', '--limit', '1', '--json');
    const found = JSON.parse(stdout);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ id: expect.any(Number), licence: expect.any(String) });
  });

  it('lists entities of all types with the number of their series, those that have series first', async () => {
    const { code, stdout } = await search('all', 'corn');
    expect(code).toBe(0);
    const [titles, first, ...others] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(titles!.slice(0, 4)).toEqual(['type', 'id', 'name', 'series']);
    expect([first![0], first![2]]).toEqual(['items', 'Corn']);
    const counts = [first!, ...others].map((row) => Number(row[3]) > 0);
    expect(counts).toEqual([...counts].sort((a, b) => Number(b) - Number(a)));
    const [maize] = JSON.parse((await search('all', 'maize', '--json')).stdout);
    expect(maize).toMatchObject({ entity_type: 'items', name: 'Corn', matched: 'maize' });
    expect(await search('all', 'zzzzzz')).toMatchObject({ code: 3, stdout: '' });
  });

  it('reports that nothing is found, and lists the types', async () => {
    expect(await search('items', 'zzzzzz')).toMatchObject({ code: 3, stdout: '' });
    const wrong = await search('units', 'kg');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('metrics, items, regions, sources');
  });
});

describe('facets', () => {
  const facets = (...argv: string[]) => ask(['facets', ...argv]);

  it('lists what has data, tab-separated for programs', async () => {
    const { code, stdout, stderr } = await facets('--item', 'corn', '--limit', '1000');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [titles, ...rows] = table(stdout);
    expect(titles).toEqual(['facet', 'id', 'name', 'series']);
    const names = [...new Set(rows.map(([facet]) => facet))];
    expect(names).toEqual(['metrics', 'items', 'regions', 'partner regions', 'sources', 'frequencies']);
    expect(rows.every(([, , , series]) => Number(series) > 0)).toBe(true);
  });

  it('prints as JSON what the client answers', async () => {
    const { stdout } = await facets('--item', 'corn', '--in', 'items', '--in', 'sources', '--json');
    const counted = JSON.parse(stdout);
    expect(Object.keys(counted).sort()).toEqual(['items', 'lifted', 'more', 'series', 'sources']);
    const corn = counted.items.find(({ name }: { name: string }) => name === 'Corn');
    expect(corn.series).toBe(counted.series);
  });

  it('says how many are left out, also without a terminal', async () => {
    const { stdout, stderr } = await facets('--in', 'regions', '--limit', '1');
    expect(table(stdout)).toHaveLength(2);
    expect(stderr).toMatch(/^note: there are also \d+ more regions; use --limit or --text to see them\n$/);
  });

  it('finds values by words, and says by which synonym', async () => {
    const { stdout } = await facets('--text', 'maize', '--in', 'items');
    expect(table(stdout)[0]).toEqual(['facet', 'id', 'name', 'series', 'found as']);
    expect(table(stdout)[1]!.slice(2)).toEqual(['Corn', expect.any(String), 'maize']);
    expect(await facets('--text', 'zzzzzz')).toMatchObject({ code: 3, stdout: '' });
  });

  it('warns of a name that fits nothing exactly, and lists the facets there are', async () => {
    const { stderr } = await facets('--item', 'cor', '--in', 'metrics');
    expect(stderr).toContain('warning: "Corn" was used for the item "cor"');
    const wrong = await facets('--in', 'units');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('metrics, items, regions, partner_regions, sources, frequencies');
  });
});

describe('vintages', () => {
  const vintages = (...argv: string[]) => ask(['vintages', ...argv]);

  it('lists the dates on which points became available', async () => {
    const { code, stdout, stderr } = await vintages('--item', 'corn');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [titles, ...rows] = table(stdout);
    expect(titles).toEqual(['date', 'became available', 'reported']);
    expect(rows.length).toBeGreaterThan(0);
    const { points } = JSON.parse((await vintages('--item', 'corn', '--json')).stdout);
    expect(rows.reduce((sum, [, available]) => sum + Number(available), 0)).toBe(points);
  });

  it('says that earlier ones are left out, and that nothing is there', async () => {
    const { stderr } = await vintages('--limit', '1');
    expect(stderr).toMatch(
      /^$|^note: there are \d+ earlier available and \d+ earlier reporting dates; use --limit/,
    );
    expect(await vintages('--frequency', 'daily', '--item', 'corn')).toMatchObject({ code: 3 });
  });
});

describe('units', () => {
  const units = (...argv: string[]) => ask(['units', ...argv]);

  it('lists the units of a metric with their conversion', async () => {
    const { code, stdout } = await units('--metric', 'yield', '--item', 'corn');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\tkg\/ha\tkilogram per hectare\tmass per area\t0\.001\t0\n/);
    const json = JSON.parse((await units('--metric', 'yield', '--json')).stdout);
    expect(json).toContainEqual(
      expect.objectContaining({
        abbreviation: 'kg/ha',
        baseConvFactor: { factor: 0.001 },
        dimension: 'mass per area',
      }),
    );
  });

  it('warns of a guess', async () => {
    const { code, stderr } = await units('--metric', 'yeild', '--item', 'maize');
    expect([code, stderr]).toEqual([0, 'warning: "Yield" was used for the metric "yeild"\n']);
  });

  it('lists every unit without a metric', async () => {
    const { code, stdout } = await units();
    expect(code).toBe(0);
    for (const line of [
      '1\t°C\tdegree Celsius\ttemperature\t1\t0',
      '130\tUSD\tUS dollar\tmoney\tnot convertible\t0',
    ])
      expect(stdout.split('\n')).toContain(line);
  });

  it('reports that nothing is found', async () => {
    expect(await units('--metric', 'zzzzzz')).toMatchObject({ code: 3 });
    expect(await units('--item', 'corn')).toMatchObject({ code: 2 });
  });
});
