import { describe, expect, it } from 'vitest';
import { asking, quickStatsStore } from '../../stores.js';

const ask = asking(quickStatsStore());
const facets = (...argv: string[]) => ask(['facets', ...argv]);
const table = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));

describe('facets', () => {
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
    expect(stderr).toMatch(/^note: there are \d+ more regions; use --limit or --text to see them\n$/);
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
