import { describe, expect, it } from 'vitest';
import { runCommand } from '../capture.js';
import { quickStatsStore } from '../stores.js';

const { store } = quickStatsStore();
const search = (...argv: string[]) => runCommand(['search', ...argv, '--store', store]);

describe('search', () => {
  it('lists the best hit first, tab-separated for programs', async () => {
    const { code, stdout, stderr } = await search('items', 'corn');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [titles, first] = stdout.split('\n').map((line) => line.split('\t'));
    expect(titles).toEqual(['id', 'name', 'definition']);
    expect(first![1]).toBe('Corn');
  });

  it('aligns columns on a terminal, and shows what contains a region', async () => {
    const { stdout } = await runCommand(['search', 'regions', 'iowa', '--limit', '1', '--store', store], {
      terminal: true,
    });
    const [titles, row] = stdout.split('\n');
    expect(titles).toMatch(/^ *id {2}name +level +in$/);
    expect(row).toMatch(/\d {2}Iowa +province +United States$/);
    expect(row!.indexOf('Iowa')).toBe(titles!.indexOf('name'));
  });

  it('prints whole entities as JSON, up to the limit', async () => {
    const { stdout } = await search('sources', 'usda', '--limit', '1', '--json');
    const found = JSON.parse(stdout);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ id: expect.any(Number), licence: expect.any(String) });
  });

  it('reports that nothing is found, and lists the types', async () => {
    expect(await search('items', 'zzzzzz')).toMatchObject({ code: 3, stdout: '' });
    const wrong = await search('units', 'kg');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('metrics, items, regions, sources');
  });
});
