import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/create-client.js';
import { fromParquet } from '../../src/frame/formats/parquet/read-parquet.js';
import { fromArrow } from '../../src/frame/formats/read-arrow.js';
import { fromCsv } from '../../src/frame/formats/read-csv.js';
import { frameSeries } from '../../src/frame/table/series-view.js';
import { json } from '../client/answering.js';

const KEY = { metric_id: 1, item_id: 2, region_id: 3, partner_region_id: 0, frequency_id: 9, source_id: 5 };
const HEAD = { metricId: 1, itemId: 2, regionId: 3, partnerRegionId: 0, frequencyId: 9, sourceId: 5 };
/** A point in kilograms, one without a unit, one that leaves its unit out. */
const BLOCK = {
  series: { ...HEAD, unitId: 11 },
  data: [
    ['2019-01-01T00:00:00.000Z', '2019-12-31T00:00:00.000Z', 1, null, 10],
    ['2020-01-01T00:00:00.000Z', '2020-12-31T00:00:00.000Z', 1, null, null],
    ['2021-01-01T00:00:00.000Z', '2021-12-31T00:00:00.000Z', 1],
  ] as [string, string, ...unknown[]][],
};
const UNITS = {
  '10': unit(10, 'kilogram', 'kg', 1),
  '11': unit(11, 'tonne', 't', 1000),
  '12': { ...unit(12, 'head', 'head', 1), dimension: undefined },
};

function unit(id: number, name: string, abbreviation: string, factor: number) {
  return { id, name, abbreviation, dimension: 'mass', baseConvFactor: { factor } };
}

function client(block = BLOCK) {
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (request.method === 'POST') return json({}, { status: 404 });
    if (pathname === '/v2/data') return json([block]);
    if (pathname === '/v2/units/allowed') return json({ data: [{ id: 10 }, { id: 11 }] });
    const ids = new Set(new URL(request.url).searchParams.getAll('ids'));
    const units = Object.entries(UNITS).filter(([id]) => ids.has(id));
    return json({ data: pathname === '/v2/units' ? Object.fromEntries(units) : {} });
  };
  const options = { api_host: 'http://service.invalid', access_token: 'token', fetch };
  const made = createClient(options);
  made.addSingleDataSeries({ ...KEY, start_date: '2019-01-01', end_date: '2021-12-31' });
  return made;
}

describe('an explicit null unit', () => {
  it('is no unit: the value stays as it is while the others are converted', async () => {
    const converted = [
      [1, 10],
      [1, null],
      [1000, 10],
    ];
    const points = await client().getDataPoints({ ...KEY, unit_id: 10 });
    expect(points.map(({ value, unit_id }) => [value, unit_id])).toEqual(converted);
    for (const block of [BLOCK, { ...BLOCK, data: [1, 0, 2].map((at) => BLOCK.data[at]!) }])
      for (const unit_id of [10, [10]]) {
        const frame = await client(block).getDf({ unit_id });
        expect(frame.toRows().map(({ value, unit_id }) => [value, unit_id])).toEqual(converted);
        expect(frame.provenance!.report[0]!.unconverted_unit).toBeUndefined();
      }
  });

  it('is not missing from values that are in a requested unit without a dimension', async () => {
    const data: typeof BLOCK.data = [['2019-01-01T00:00:00.000Z', '2019-12-31T00:00:00.000Z', 1, null, 12]];
    const frame = await client({ ...BLOCK, data }).getDf({ unit_id: [10, 12] });
    expect(frame.toRows().map(({ value, unit_id }) => [value, unit_id])).toEqual([[1, 12]]);
    expect(frame.provenance!.report[0]!.unconverted_unit).toBeUndefined();
  });

  it('is null in long frames and every file format', async () => {
    const frame = await client().getDf({ include_names: true });
    const rows = frame.toRows();
    expect(rows.map(({ unit_id }) => unit_id)).toEqual([10, null, 11]);
    expect(rows.map(({ unit_name }) => unit_name === null)).toEqual([false, true, false]);
    expect(fromCsv(frame.toCsv()).toRows()).toEqual(rows);
    expect(fromArrow(frame.toArrow({ format: 'stream' })).toRows()).toEqual(rows);
    expect((await fromParquet(await frame.toParquet())).toRows()).toEqual(rows);
    expect(frameSeries(frame).map(({ unit_id }) => unit_id)).toEqual([10, null, 11]);
  });

  it('is a column without a unit in wide frames', async () => {
    const frame = await client().getDf({ compress_format: true });
    const units = frame.schema.fields.slice(1).map(({ metadata }) => metadata.get('unit_id'));
    expect(units).toEqual(['10', undefined, '11']);
  });
});
