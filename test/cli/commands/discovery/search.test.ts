import { describe, expect, it } from 'vitest';
import { asking, quickStatsStore } from '../../stores.js';

const ask = asking(quickStatsStore());
const search = (...argv: string[]) => ask(['search', ...argv]);

describe('search', () => {
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
