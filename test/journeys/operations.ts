import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, type TestAPI } from 'vitest';
import type { Client } from '../../src/create-client.js';
import { REGION_LEVELS } from '../../src/model/entity.js';
import { ArgumentError, NotFoundError, UnitError } from '../../src/model/errors.js';
import type { DataSeries, SeriesKey } from '../../src/model/series.js';
import { idOf } from '../entity-id.js';
import { exactRows } from '../frame/exact-rows.js';
import { collect } from '../sequences.js';

async function cornArea(client: Client, region: string): Promise<DataSeries> {
  const found = client.findDataSeries({ metric: 'Area harvested', item: 'Corn', region });
  for await (const series of found) return series;
  throw new Error('the demo data have no corn area');
}

function oneSaved(client: Client, series: SeriesKey): Client {
  client.addSingleDataSeries(series);
  return client;
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

interface Fixtures {
  readonly client: Client;
  /** Creates further clients. */
  readonly service: { readonly fresh: () => Client };
}
type OperationTest = TestAPI<Fixtures>;

/** Every operation of the specification on the demo data; `fresh` makes a client with an empty saved list. */
export function describeOperations(fresh: () => Client): void {
  const test = it.extend<Fixtures>({
    service: { fresh },
    client: ({ service }, use) => use(service.fresh()),
  });
  describeExploration(test);
  describeContainment(test);
  describeDiscovery(test);
  describeRetrieval(test);
  describeGeography(test);
  describeSavedSeries(test);
  describeModels(test);
}

function describeExploration(it: OperationTest): void {
  it('lookup returns one entity for an id, and an object by id for a list', async ({ client }) => {
    const corn = await idOf(client, 'items', 'Corn');
    const wheat = await idOf(client, 'items', 'Wheat');
    const one = await client.lookup('items', corn);
    expect(one).toMatchObject({ id: corn, name: 'Corn' });
    expect(Object.keys(one).sort()).toEqual(['belongsTo', 'contains', 'definition', 'id', 'name']);
    const several = await client.lookup('items', [wheat, corn, wheat, 999_999_999]);
    expect(several).toEqual({ [corn]: one, [wheat]: await client.lookup('items', wheat) });
    await expect(client.lookup('items', 999_999_999)).rejects.toBeInstanceOf(NotFoundError);
    await expect(client.lookup('items', 1.5)).rejects.toBeInstanceOf(ArgumentError);
  });

  it('lookup returns regions, frequencies, sources and units with their own fields', async ({ client }) => {
    const region = await client.lookup('regions', await idOf(client, 'regions', 'Washington'));
    expect(region).toMatchObject({ level: REGION_LEVELS.province, historical: false });
    expect(typeof region.latitude).toBe('number');
    expect(await client.lookup('frequencies', 9)).toMatchObject({
      name: 'annual',
      periodLength: { years: 1 },
    });
    const source = await client.lookup('sources', (await cornArea(client, 'Washington')).source_id);
    expect(source.name).toContain('USDA');
    const unit = await client.lookup('units', 1);
    expect(unit).toMatchObject({ abbreviation: '°C' });
    expect(unit.baseConvFactor.factor).not.toBe(0);
  });

  it('search returns ids, best first; search_for_entity the best of them', async ({ client }) => {
    const hits = await client.search('regions', 'Washington');
    expect(hits.length).toBeGreaterThan(1);
    for (const hit of hits) expect(Object.keys(hit)).toEqual(['id']);
    expect(await client.searchForEntity('regions', 'Washington')).toBe(hits[0]!.id);
    expect(await client.searchForEntity('items', 'qqqqzzzz')).toBeUndefined();
    await expect(client.search('items', '  ')).rejects.toBeInstanceOf(ArgumentError);
  });

  it('search_and_lookup yields entities in the order of the hits, at most num_results', async ({
    client,
  }) => {
    const hits = await client.search('regions', 'United');
    const found = await collect(client.searchAndLookup('regions', 'United', { num_results: 3 }));
    expect(found.map(({ id }) => id)).toEqual(hits.slice(0, 3).map(({ id }) => id));
    expect(await collect(client.searchAndLookup('regions', 'United', { num_results: 0 }))).toEqual([]);
    expect((await collect(client.searchAndLookup('regions', 'United'))).length).toBeLessThanOrEqual(10);
  });

  it('get_available lists entities, at most 5000', async ({ client }) => {
    const items = await client.getAvailable('items');
    expect(items.truncated).toBe(false);
    expect(items.map(({ name }) => name)).toContain('Corn');
    const regions = await client.getAvailable('regions');
    expect(regions.length).toBeLessThanOrEqual(5000);
    expect(regions.length).toBeGreaterThan(3000);
    await expect(client.getAvailable('sources' as 'items')).rejects.toBeInstanceOf(ArgumentError);
  });

  it('list_available returns combinations that have data, with exactly the fields of the specification', async ({
    client,
  }) => {
    const item_id = await idOf(client, 'items', 'Corn');
    const found = await client.listAvailable({ item_id });
    expect(found).toHaveLength(4);
    const pairs = ['metric', 'item', 'region', 'source'].flatMap((name) => [`${name}_id`, `${name}_name`]);
    for (const one of found) expect(Object.keys(one).sort()).toEqual([...pairs].sort());
    expect(new Set(found.map(({ region_name }) => region_name))).toEqual(new Set(['New York', 'Washington']));
  });

  it('lists every unit with its abbreviation', async ({ client }) => {
    const units = await client.listUnits();
    expect(units.length).toBeGreaterThan(80);
    expect(units).toContainEqual(
      expect.objectContaining({ name: 'tonne per hectare', abbreviation: 't/ha' }),
    );
    expect(units).toContainEqual(await client.lookup('units', 1));
    await expect(client.listUnits({ sginal: null } as never)).rejects.toThrow(/signal/);
  });

  it('get_allowed_units and lookup_unit_abbreviation', async ({ client }) => {
    const series = await cornArea(client, 'Washington');
    const ids = await client.getAllowedUnits(series.metric_id, series.item_id);
    const abbreviations = await Promise.all(ids.map((id) => client.lookupUnitAbbreviation(id)));
    expect(abbreviations).toEqual(expect.arrayContaining(['ac', 'ha']));
    expect((await client.getAllowedUnits(series.metric_id)).length).toBeGreaterThanOrEqual(ids.length);
  });
}

function describeContainment(it: OperationTest): void {
  it('lookup_belongs yields what directly contains an entity', async ({ client }) => {
    const id = await idOf(client, 'regions', 'Washington');
    const above = await collect(client.lookupBelongs('regions', id));
    expect(above.map(({ id }) => id)).toEqual((await client.lookup('regions', id)).belongsTo);
    expect(above.map(({ name }) => name)).toContain('United States');
  });

  it('get_ancestor goes up: all levels, a distance, or one level, the distance taking precedence', async ({
    client,
  }) => {
    const id = await idOf(client, 'regions', 'Washington');
    const all = await client.getAncestor('regions', id);
    expect(all.map(({ level }) => level)).toEqual(expect.arrayContaining([1, 2, 3]));
    const near = await client.getAncestor('regions', id, { distance: 1 });
    expect(near.map(({ level }) => level)).toEqual([3]);
    expect(await client.getAncestor('regions', id, { distance: 1, ancestor_level: 1 })).toEqual(near);
    const world = await client.getAncestor('regions', id, { ancestor_level: 1 });
    expect(world.map(({ level }) => level)).toEqual([1]);
    const ids = await client.getAncestor('regions', id, { include_details: false });
    expect(ids).toEqual(all.map(({ id }) => ({ id })));
  });

  it('get_descendant goes down, with and without historical regions', async ({ client }) => {
    const country = await idOf(client, 'regions', 'United States');
    const states = await client.getDescendant('regions', country, { descendant_level: 4 });
    expect(states.length).toBeGreaterThanOrEqual(50);
    expect(new Set(states.map(({ level }) => level))).toEqual(new Set([4]));
    const within = await client.getDescendant('regions', country, { distance: 1, include_details: false });
    expect(within.length).toBeGreaterThanOrEqual(states.length);
    const europe = await idOf(client, 'regions', 'Europe');
    const countries = await client.getDescendant('regions', europe, { descendant_level: 3 });
    const living = await client.getDescendant('regions', europe, {
      descendant_level: 3,
      include_historical: false,
    });
    expect(countries.some(({ historical }) => historical)).toBe(true);
    expect(living).toEqual(countries.filter(({ historical }) => !historical));
    await expect(client.getDescendant('items', 1, { descendant_level: 4 })).rejects.toThrow(
      /descendant_level/,
    );
  });

  it('get_descendant_regions is the same for regions', async ({ client }) => {
    const country = await idOf(client, 'regions', 'United States');
    const options = { descendant_level: 4, include_details: false } as const;
    const expected = await client.getDescendant('regions', country, options);
    expect(await client.getDescendantRegions(country, options)).toEqual(expected);
  });

  it('get_provinces returns the provinces of the first country found, null when there is none', async ({
    client,
  }) => {
    const provinces = await client.getProvinces('United States');
    expect(provinces!.map(({ name }) => name)).toEqual(expect.arrayContaining(['Washington', 'New York']));
    expect(new Set(provinces!.map(({ level }) => level))).toEqual(new Set([REGION_LEVELS.province]));
    expect(await client.getProvinces('Seattle weather station')).toBeNull();
  });
}

function describeDiscovery(it: OperationTest): void {
  it('get_data_series lists the series of a selection, whose output is a selection again', async ({
    client,
  }) => {
    const item_id = await idOf(client, 'items', 'Corn');
    const series = await client.getDataSeries({ item_id });
    expect(series).toHaveLength(4);
    for (const one of series) {
      expect(one.start_date).toMatch(ISO);
      expect(one.end_date).toMatch(ISO);
      expect(one).toMatchObject({ item_name: 'Corn', partner_region_id: 0 });
    }
    expect(await client.getDataSeries(series[0])).toEqual([series[0]]);
  });

  it('find_data_series: dates replace those of the series and stay in the result', async ({ client }) => {
    const dates = { start_date: '2003-01-01', end_date: '2005-12-31' };
    const found = await collect(client.findDataSeries({ item: 'Corn', region: 'Washington', ...dates }));
    expect(found).toHaveLength(2);
    for (const one of found)
      expect(one).toMatchObject({
        start_date: '2003-01-01T00:00:00.000Z',
        end_date: '2005-12-31T00:00:00.000Z',
      });
    const explained = await collect(
      client.findDataSeries({ item: 'Corn', region: 'Washington', ...dates, explain: true }),
    );
    expect(explained.map(({ coverage: _, ...series }) => series)).toEqual(found);
    for (const { coverage } of explained)
      expect(coverage).toMatchObject({ share: 1, points: expect.any(Number) });
    const backwards = client.findDataSeries({
      item: 'Corn',
      start_date: '2005-01-01',
      end_date: '2003-01-01',
    });
    await expect(backwards.next()).rejects.toBeInstanceOf(ArgumentError);
  });

  it('find_data_series filters hits before it keeps the best', async ({ client }) => {
    const hits = await client.search('regions', 'Washington');
    const last = hits.findLast(({ id }) => id !== hits[0]!.id)!.id;
    const seen: number[] = [];
    const found = client.findDataSeries({
      region: 'Washington',
      hits_per_name: 1,
      result_filter: ({ region_id }) => seen.push(region_id as number) > 0 && region_id === last,
    });
    for (const { region_id } of await collect(found)) expect(region_id).toBe(last);
    expect(seen).toEqual(hits.map(({ id }) => id));
  });

  it('rank_series_by_source yields every source of each combination, given series whole', async ({
    client,
  }) => {
    const given = await cornArea(client, 'Washington');
    const ranked = await collect(client.rankSeriesBySource([given, given]));
    expect(ranked).toEqual([given]);
    const { source_id, source_name: _, ...rest } = given;
    const others = await collect(client.rankSeriesBySource([{ ...rest, source_id: 999_999 }]));
    expect(others).toHaveLength(1);
    const { data_count_estimate: __, ...known } = rest;
    expect(others[0]).toMatchObject({ ...known, source_id });
  });

  it('get_available_timefrequency returns frequencies and ranges in snake case', async ({ client }) => {
    const item_id = await idOf(client, 'items', 'Corn');
    const found = await client.getAvailableTimefrequency({ item_id });
    expect(found).toEqual([
      {
        frequency_id: 9,
        name: 'annual',
        start_date: '2002-01-01T00:00:00.000Z',
        end_date: '2011-12-31T00:00:00.000Z',
      },
    ]);
    expect(await client.getAvailableTimefrequency({ item_id: 999_999_999 })).toEqual([]);
  });
}

function describeRetrieval(it: OperationTest): void {
  it('get_data_points returns points with the fields of the specification', async ({ client }) => {
    const series = await cornArea(client, 'Washington');
    const points = await client.getDataPoints(series);
    expect(points).toHaveLength(10);
    const { metric_id, item_id, region_id, frequency_id, source_id } = series;
    expect(points[0]).toEqual({
      start_date: '2002-01-01T00:00:00.000Z',
      end_date: '2002-12-31T00:00:00.000Z',
      value: 70_000,
      unit_id: expect.any(Number),
      reporting_date: null,
      metric_id,
      item_id,
      region_id,
      partner_region_id: 0,
      frequency_id,
      source_id,
      belongs_to: { metric_id, item_id, region_id, frequency_id, source_id },
    });
  });

  it('get_data_points accepts lists, dates and insert_null, and returns the available date', async ({
    client,
  }) => {
    const one = await cornArea(client, 'Washington');
    const other = await cornArea(client, 'New York');
    const selection = { ...one, region_id: [one.region_id, other.region_id] };
    const dates = { start_date: '2010-06-01', end_date: '2013-06-01' };
    const points = await client.getDataPoints({
      ...selection,
      ...dates,
      insert_null: true,
      show_available_date: true,
    });
    const years = points.map((point) => [
      point.region_id,
      point.start_date.slice(0, 4),
      point.value === null,
    ]);
    for (const region_id of selection.region_id) {
      const ofRegion = years
        .filter(([id]) => id === region_id)
        .map(([, year, missing]) => `${year} ${missing}`);
      expect(ofRegion).toEqual(['2010 false', '2011 false', '2012 true', '2013 true']);
    }
    for (const { value, available_date } of points)
      expect(available_date).toEqual(value === null ? null : expect.stringMatching(ISO));
    expect(await client.getDataPoints({ ...one, at_time: '2019-01-01' })).toEqual([]);
    expect(await client.getDataPoints({ ...one, available_since: '2021-01-01' })).toEqual([]);
    await expect(client.getDataPoints({ ...one, at_time: 'yesterday' })).rejects.toThrow(/at_time/);
    await expect(client.getDataPoints({ metric_id: 1 })).rejects.toThrow(/item_id/);
  });

  it('converts units in points, tables and frames alike, and refuses what is not convertible', async ({
    client,
  }) => {
    const series = await cornArea(client, 'Washington');
    const allowed = await client.getAllowedUnits(series.metric_id, series.item_id);
    const units = await client.lookup('units', allowed);
    const hectares = Object.values(units).find(({ abbreviation }) => abbreviation === 'ha')!.id;
    const expected = 70_000 * 0.404_685_642_24;
    const [point] = await client.getDataPoints({ ...series, unit_id: hectares });
    expect(point).toMatchObject({ unit_id: hectares });
    expect(point!.value).toBeCloseTo(expected, 6);
    const table = await client.getDataPointsTable({ ...series, unit_id: hectares });
    expect(exactRows(table)[0]).toMatchObject({ unit_id: hectares, value: point!.value });
    client.addSingleDataSeries(series);
    const frame = await client.getDf({ unit_id: hectares });
    expect(exactRows(frame)[0]).toMatchObject({ unit_id: hectares, value: point!.value });
    const unknown = client.getDataPoints({ ...series, unit_id: 999_999_999 });
    await expect(unknown).rejects.toThrow(/unit_id 999999999 is not convertible/);
    await expect(unknown).rejects.toBeInstanceOf(UnitError);
  });

  it('refuses units of another dimension in points, tables, frames and files alike', async ({
    client,
    service,
  }) => {
    const [series] = await collect(
      client.findDataSeries({ metric: 'Temperature', item: 'Temperature max', region: 'Seattle' }),
    );
    const { start_date: _, end_date: __, ...key } = series!;
    const [point] = await client.getDataPoints({ ...key, end_date: '2012-01-02' });
    expect(point).toMatchObject({ value: 12.8, unit_id: 1 });
    const wrong = { mm: 10, kg: 31, 'USD/t': 131 };
    for (const [abbreviation, unit_id] of Object.entries(wrong)) {
      expect(await client.lookupUnitAbbreviation(unit_id)).toBe(abbreviation);
      const refused = new RegExp(
        `^unit_id 1 is not convertible to unit_id ${unit_id}: .*"temperature", .*"(length|mass|money per mass)"$`,
      );
      const ways = [
        () => client.getDataPoints({ ...key, unit_id }),
        () => client.getDataPointsTable({ ...key, unit_id }),
        () => oneSaved(service.fresh(), key).getDf({ unit_id }),
        () => oneSaved(service.fresh(), key).getDf({ unit_id, compress_format: true }),
        () =>
          oneSaved(service.fresh(), key).writeDf(join(tmpdir(), `never-written-${unit_id}.csv`), { unit_id }),
      ];
      for (const way of ways) {
        const error: unknown = await way().catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(UnitError);
        expect((error as UnitError).message).toMatch(refused);
      }
      expect(existsSync(join(tmpdir(), `never-written-${unit_id}.csv`))).toBe(false);
    }
  });

  it('get_top ranks by cumulative value, and refuses what it cannot combine', async ({ client }) => {
    const { metric_id, item_id, frequency_id, source_id, region_id } = await cornArea(client, 'New York');
    const options = { metric_id, frequency_id, source_id };
    const top = await client.getTop('regions', { ...options, item_id });
    expect(top.map((one) => one.regionId)[0]).toBe(region_id);
    expect(top).toHaveLength(2);
    expect(top[0]!.value).toBeGreaterThan(top[1]!.value!);
    const keys = ['metricId', 'itemId', 'regionId', 'frequencyId', 'sourceId', 'unitId', 'value'];
    expect(Object.keys(top[0]!).sort()).toEqual([...keys].sort());
    const one = await client.getTop('regions', {
      ...options,
      item_id,
      num_results: 1,
      start_date: '2011-01-01',
    });
    expect(one).toMatchObject([{ regionId: region_id, value: 620_000 }]);
    expect(await client.getTop('items', { ...options, region_id })).toMatchObject([{ itemId: item_id }]);
    await expect(client.getTop('regions', { ...options, item_id, region_id })).rejects.toThrow(/region_id/);
    await expect(client.getTop('items', { ...options, item_id })).rejects.toThrow(/region_id/);
  });
}

function describeGeography(it: OperationTest): void {
  it('get_geojson returns a shape, simplified below zoom 6, null when there is none', async ({ client }) => {
    const region_id = await idOf(client, 'regions', 'Washington');
    const detailed = await client.getGeojson(region_id);
    expect(detailed).toMatchObject({ type: 'GeometryCollection' });
    expect(detailed!.geometries[0]!.type).toBe('MultiPolygon');
    const simple = await client.getGeojson(region_id, { zoom_level: 3 });
    expect(JSON.stringify(simple).length).toBeLessThanOrEqual(JSON.stringify(detailed).length);
    expect(await client.getGeojson(await idOf(client, 'regions', 'Seattle weather station'))).toBeNull();
    await expect(client.getGeojson(region_id, { zoom_level: 9 })).rejects.toThrow(/zoom_level/);
  });

  it('get_geo_centre returns latitude and longitude', async ({ client }) => {
    const region_id = await idOf(client, 'regions', 'Washington');
    const [centre] = await client.getGeoCentre(region_id);
    expect(centre).toMatchObject({ regionId: region_id, regionName: 'Washington' });
    expect(centre!.centre![0]).toBeCloseTo(47.4, 0);
    expect(centre!.centre![1]).toBeCloseTo(-120.4, 0);
  });
}

function describeSavedSeries(it: OperationTest): void {
  it('add_data_series saves and returns the top series; get_data_series_list returns a copy', async ({
    client,
  }) => {
    expect(await client.addDataSeries({ item: 'qqqqzzzz' })).toBeNull();
    const series = await client.addDataSeries({
      metric: 'Area harvested',
      item: 'Corn',
      region: 'Washington',
    });
    expect(series).toEqual(await cornArea(client, 'Washington'));
    client.addSingleDataSeries(await cornArea(client, 'New York'));
    const list = client.getDataSeriesList();
    expect(list).toHaveLength(2);
    list.pop();
    expect(client.getDataSeriesList()).toHaveLength(2);
    expect(() => client.addSingleDataSeries({ metric_id: 1 } as DataSeries)).toThrow(/item_id/);
    client.clearDataSeriesList();
    expect(client.getDataSeriesList()).toEqual([]);
    client.addSingleDataSeries(series!);
    expect((await client.getDf()).numRows).toBe((await client.getDataPoints(series!)).length);
  });

  it('get_df appends the points of every saved series in saved order, each once', async ({ client }) => {
    for (const series of await client.getDataSeries()) client.addSingleDataSeries(series);
    client.addSingleDataSeries(client.getDataSeriesList()[3]!);
    const table = await client.getDf();
    const expected = [];
    for (const series of client.getDataSeriesList().slice(0, -1))
      expected.push(...(await client.getDataPoints(series)));
    const rows = exactRows(table);
    expect(rows).toHaveLength(expected.length);
    expect(rows).toEqual(expected.map(({ belongs_to: _, ...point }) => expect.objectContaining(point)));
    const slowly = await client.getDf({ async_mode: false });
    expect(exactRows(slowly)).toEqual(rows);
  });

  it('get_df has an available date at every point of every frame that asks for it, and a wide one refuses', async ({
    client,
  }) => {
    for (const region of ['Washington', 'New York'])
      client.addSingleDataSeries(await cornArea(client, region));
    const show_available_date = true;
    const { metric_id, item_id } = client.getDataSeriesList()[0]!;
    const [unit_id] = await client.getAllowedUnits(metric_id, item_id);
    for (const options of [
      {},
      { include_names: true, index_by_series: true },
      { async_mode: false },
      { complete_history: true },
      { unit_id },
    ]) {
      const frame = await client.getDf({ ...options, show_available_date });
      for (const table of [frame, await client.refreshDf(frame)]) {
        expect(table.numRows).toBeGreaterThan(0);
        for (const { available_date } of exactRows(table)) expect(available_date).toMatch(ISO);
      }
    }
    for (const flag of [{ show_available_date }, { show_metadata: true }])
      await expect(client.getDf({ ...flag, compress_format: true })).rejects.toThrow(
        /cannot be combined with show_/,
      );
  });

  it('get_df: names, index and the compressed format', async ({ client }) => {
    for (const region of ['Washington', 'New York'])
      client.addSingleDataSeries(await cornArea(client, region));
    const named = await client.getDf({ include_names: true, index_by_series: true });
    expect(named.schema.fields[0]!.name).toBe('metric_id');
    expect(exactRows(named)[0]).toMatchObject({
      metric_name: 'Area harvested',
      item_name: 'Corn',
      unit_name: 'acre',
    });
    const wide = await client.getDf({ compress_format: true });
    expect(wide.numRows).toBe(10);
    expect(wide.schema.fields.map(({ name }) => name.split(' | ')[2] ?? name)).toEqual([
      'end_date',
      'Washington',
      'New York',
    ]);
    const [, washington] = wide.schema.fields;
    expect(washington!.name.split(' | ').at(-1)).toBe('acre');
    expect([washington!.metadata.get('unit_name'), washington!.metadata.get('unit_abbreviation')]).toEqual([
      'acre',
      'ac',
    ]);
    expect(wide.toText()).toContain('units: ac');
    await expect(client.getDf({ compress_format: true, complete_history: true })).rejects.toThrow(
      /compress_format/,
    );
  });
}

function describeModels(it: OperationTest): void {
  it('computes weights, crop-weighted series and growing degree days', async ({ client }) => {
    const regions = await Promise.all(
      ['Washington', 'New York'].map(async (name) => ({ id: await idOf(client, 'regions', name), name })),
    );
    const weights = await client.computeWeights('Corn', 'Area harvested', regions);
    expect(weights[0]! + weights[1]!).toBeCloseTo(1, 12);
    const frame = await client.computeCropWeightedSeries({
      weighting_crop_name: 'Corn',
      weighting_metric_name: 'Area harvested',
      item_name: 'Corn',
      metric_name: 'Yield',
      regions,
    });
    expect(frame.numRows).toBe(20);
    const season = { base_temperature: 10, start_date: '2012-05-01', end_date: '2012-05-31' };
    const degreeDays = await client.growingDegreeDays({ region_name: 'Seattle weather station', ...season });
    expect(degreeDays).toBeGreaterThan(50);
    const temperature = { metric: 'Temperature', region: 'Seattle' };
    const [tmin_series] = await collect(client.findDataSeries({ item: 'Temperature min', ...temperature }));
    const [tmax_series] = await collect(client.findDataSeries({ item: 'Temperature max', ...temperature }));
    const given = await client.computeGdd({
      tmin_series: tmin_series!,
      tmax_series: tmax_series!,
      ...season,
    });
    expect(given).toBe(degreeDays);
  });
}
