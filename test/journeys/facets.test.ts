import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/create-client.js';
import { ArgumentError } from '../../src/model/errors.js';
import type { Selection } from '../../src/model/selection.js';
import { FACET_FIELDS, FACETS, type FacetName } from '../../src/model/selection.js';
import type { DataSeries } from '../../src/model/series.js';
import { createService } from '../../src/service/service.js';
import { idOf } from '../entity-id.js';
import { IMPORTED, useDemoService } from './demo-service.js';

const demo = useDemoService();
let client: Client;
beforeAll(async () => {
  client = demo.client();
});

/** The number of series of each value of a facet, counted from a list of series. */
function countedBy(series: readonly DataSeries[], facet: FacetName): Map<number, number> {
  const counts = new Map<number, number>();
  for (const one of series) {
    const id = one[FACET_FIELDS[facet].field];
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

describe('facets', () => {
  it('count what getDataSeries lists without the restriction of each facet', async () => {
    const all = await client.getDataSeries();
    const { item_id, source_id } = all[0]!;
    const selection: Selection = { item_id, source_id };
    const counted = await client.facets(selection, { limit: 10_000 });
    expect(counted.series).toBe((await client.getDataSeries(selection)).length);
    for (const facet of FACETS) {
      const others = { ...selection, [FACET_FIELDS[facet].field]: undefined };
      const expected = countedBy(await client.getDataSeries(others), facet);
      expect(new Map(counted[facet].map(({ id, series }) => [id, series]))).toEqual(expected);
      expect(counted.more[facet]).toBe(0);
      expect(counted.lifted[facet]).toBe([...expected.values()].reduce((sum, one) => sum + one, 0));
      for (const { id, name } of counted[facet])
        expect(name).toBe((await client.lookup(FACET_FIELDS[facet].type, id)).name);
    }
  });

  it('come with the most series first, then by name, and say how many are left out', async () => {
    const { regions } = await client.facets({}, { limit: 10_000 });
    const sorted = [...regions].sort((a, b) => b.series - a.series || (a.name < b.name ? -1 : 1));
    expect(regions).toEqual(sorted);
    const first = await client.facets({}, { limit: 3, in: 'regions' });
    expect(first.regions).toEqual(regions.slice(0, 3));
    expect(first.more).toEqual({ regions: regions.length - 3 });
    expect(Object.keys(first).sort()).toEqual(['lifted', 'more', 'regions', 'series']);
  });

  it('list what is selected, also when no series has it', async () => {
    const region_id = await idOf(client, 'regions', 'Germany');
    const item_id = await idOf(client, 'items', 'Corn');
    const { series, regions, lifted } = await client.facets({ region_id, item_id }, { limit: 1 });
    expect(series).toBe(0);
    expect(regions).toHaveLength(2);
    expect(regions[1]).toEqual({ id: region_id, name: 'Germany', series: 0 });
    expect(lifted.regions).toBe((await client.getDataSeries({ item_id })).length);
  });

  it('find values by a text, synonyms included, and say which', async () => {
    const { items, metrics } = await client.facets({}, { text: 'maiz' });
    expect(items[0]).toMatchObject({ name: 'Corn', matched: 'maize' });
    expect(metrics).toEqual([]);
    const { regions } = await client.facets({}, { text: 'wash', in: 'regions' });
    expect(regions[0]).toMatchObject({ name: 'Washington' });
    expect(regions[0]).not.toHaveProperty('matched');
    expect(regions.every(({ series }) => series > 0)).toBe(true);
    const { frequencies } = await client.facets({}, { text: 'ann', in: ['frequencies'] });
    expect(frequencies.map(({ name }) => name)).toEqual(['annual']);
    const { frequencies: none } = await client.facets({}, { text: '!!', in: ['frequencies'] });
    expect(none).toEqual([]);
    expect(await client.facets({}, { text: '' })).toEqual(await client.facets());
  });

  it('find values that have series of the selection, and no others', async () => {
    const item_id = await idOf(client, 'items', 'Corn');
    const { sources } = await client.facets({ item_id }, { limit: 10_000 });
    const all = (await client.facets()).sources;
    const other = all.find(({ id }) => !sources.some((one) => one.id === id))!;
    expect((await client.facets({}, { text: other.name, in: 'sources' })).sources[0]).toEqual(other);
    const within = await client.facets({ item_id }, { text: other.name, in: 'sources' });
    expect(within.sources.map(({ id }) => id)).not.toContain(other.id);
  });

  it('refuse what is not a facet, and a selection that is empty', async () => {
    await expect(client.facets({}, { in: 'units' as 'items' })).rejects.toThrow(ArgumentError);
    await expect(client.facets({ item_id: [] })).rejects.toThrow('item_id: the list is empty');
    await expect(client.facets({}, { limit: 0 })).rejects.toThrow(ArgumentError);
  });

  it('end when they are aborted', async () => {
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await expect(client.facets({}, { signal })).rejects.toBe(reason);
    await expect(client.searchAll('corn', { signal })).rejects.toBe(reason);
    await expect(client.vintages({}, { signal })).rejects.toBe(reason);
  });
});

describe('a search of everything', () => {
  it('finds entities of all types while somebody types, those that have series first', async () => {
    for (const typed of ['c', 'co', 'cor', 'corn']) {
      const hits = await client.searchAll(typed, { limit: 100 });
      const firstWithout = hits.findIndex(({ series }) => series === 0);
      expect(hits.slice(firstWithout).every(({ series }) => series === 0)).toBe(true);
      expect(hits.map(({ name }) => name)).toContain('Corn');
    }
    const [corn] = await client.searchAll('corn');
    const item_id = await idOf(client, 'items', 'Corn');
    expect(corn).toEqual({
      entity_type: 'items',
      id: item_id,
      name: 'Corn',
      series: (await client.getDataSeries({ item_id })).length,
      exact: true,
    });
  });

  it('says which synonym was found, and keeps to types and a limit', async () => {
    const [maize] = await client.searchAll('maize');
    expect(maize).toMatchObject({ entity_type: 'items', name: 'Corn', matched: 'maize' });
    const hits = await client.searchAll('a', { types: ['regions'], limit: 4 });
    expect(hits).toHaveLength(4);
    expect(new Set(hits.map(({ entity_type }) => entity_type))).toEqual(new Set(['regions']));
    expect(await client.searchAll('qqqqqqqq')).toEqual([]);
    await expect(client.searchAll('  ')).rejects.toThrow(ArgumentError);
  });
});

describe('vintages', () => {
  it('are the dates that a complete history has', async () => {
    const counted = await client.facets({}, { in: 'sources' });
    expect((await client.vintages({})).available_dates.map(({ date }) => date)).toContain(IMPORTED);
    for (const { id } of counted.sources) {
      const selection = { source_id: id };
      const points = await Promise.all(
        (await client.getDataSeries(selection)).map((series) =>
          client.getDataPoints({ ...series, complete_history: true, show_available_date: true }),
        ),
      );
      const rows = points.flat().filter(({ partner_region_id }) => partner_region_id === 0);
      const dates = (field: 'available_date' | 'reporting_date') => {
        const counts = new Map<string, number>();
        for (const row of rows) {
          const date = row[field];
          if (date) counts.set(date, (counts.get(date) ?? 0) + 1);
        }
        return [...counts].sort().map(([date, count]) => ({ date, points: count }));
      };
      expect(await client.vintages(selection)).toMatchObject({
        points: rows.length,
        available_dates: dates('available_date'),
        reporting_dates: dates('reporting_date'),
        more: { available_dates: 0, reporting_dates: 0 },
      });
    }
  });
});

describe('a large selection', () => {
  it('is refused where its vintages would be read, and counted by its facets', async () => {
    const listed = { handle: 1, metric_id: 1, item_id: 1, region_id: 1, partner_region_id: 0 };
    const series = {
      ...listed,
      source_id: 1,
      frequency_id: 9,
      unit_id: 1,
      startMs: 0,
      endMs: 0,
      pointCount: 1,
    };
    async function* many() {
      for (let batch = 0; batch < 3; batch++) yield Array.from({ length: 4_096 }, () => series);
    }
    const service = createService({ ...demo.store, series: many }, { authorize: 'anyone' });
    const asked = demo.client({ api_host: 'http://localhost', fetch: service });
    await expect(asked.vintages({})).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('more than 10000 series; request fewer'),
    });
    expect((await asked.facets()).series).toBe(12);
  });
});
