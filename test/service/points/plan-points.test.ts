import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { SeriesKey } from '../../../src/model/series.js';
import { allowAnyone } from '../../../src/service/access/auth.js';
import type { Service } from '../../../src/service/handler.js';
import { createService } from '../../../src/service/service.js';
import type { PointPlan } from '../../../src/store/plan.js';
import type { Store } from '../../../src/store/store.js';
import { countRuns } from '../../endurance.js';
import { type Known, openServedStore } from '../serving-store.js';

type Query = Record<string, unknown>;

let opened: Store;
let known: Known;
let service: Service;
/** The plans by which the service reads points, and how often it lists series and looks entities up. */
let plans: PointPlan[];
let listings: number;
let lookups: number;

beforeAll(async () => {
  ({ store: opened, known } = await openServedStore());
});
afterAll(() => opened?.close());
beforeEach(() => {
  plans = [];
  listings = 0;
  lookups = 0;
  const counting: Store = {
    ...opened,
    points(plan, options) {
      plans.push(plan);
      return opened.points(plan, options);
    },
    lookup(type, ids, options) {
      lookups++;
      return opened.lookup(type, ids, options);
    },
    series(plan, options) {
      listings++;
      return opened.series(plan, options);
    },
  };
  service = createService(counting, { authorize: allowAnyone });
});

function selectionOf({ metric_id, item_id, region_id, partner_region_id, ...key }: SeriesKey): Query {
  return {
    metricId: metric_id,
    itemId: item_id,
    regionId: region_id,
    partnerRegionId: partner_region_id,
    sourceId: key.source_id,
    frequencyId: key.frequency_id,
  };
}

async function post(queries: readonly Query[], accept: string): Promise<Response> {
  const body = JSON.stringify(queries);
  const headers = { accept, 'content-type': 'application/json' };
  const request = new Request('http://local/v2/data', { method: 'POST', headers, body });
  return service(request);
}

/** Each answered series with its region, partner and points, by the selection that it answers. */
async function answers(queries: readonly Query[]): Promise<Map<number, [string, string[]][]>> {
  const response = await post(queries, 'application/vnd.apache.arrow.stream');
  expect(response.status).toBe(200);
  const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
  const points = new Map<number, string[]>();
  let last = 0;
  for (const { series, start_date, value, unit_id } of table) {
    expect(series).toBeGreaterThanOrEqual(last);
    last = series;
    points.set(series, [...(points.get(series) ?? []), `${start_date} ${value} ${unit_id}`]);
  }
  const described = JSON.parse(table.schema.metadata.get('cropframe.series')!) as (SeriesKey & {
    selection?: number;
  })[];
  const bySelection = new Map<number, [string, string[]][]>();
  for (const [at, { selection = 0, region_id, partner_region_id }] of described.entries()) {
    const one: [string, string[]] = [`${region_id} ${partner_region_id}`, points.get(at) ?? []];
    bySelection.set(selection, [...(bySelection.get(selection) ?? []), one]);
  }
  for (const series of bySelection.values()) series.sort(([a], [b]) => (a < b ? -1 : 1));
  return bySelection;
}

it('lists a series once for all selections of it, and answers each', async () => {
  const one = selectionOf(known.revised);
  const queries = [...Array.from({ length: 1_000 }, () => one), { ...one, startDate: '2019-01-01' }];
  const answered = await answers(queries);
  expect(listings).toBe(1);
  expect(plans.map(({ series }) => series.length)).toEqual([1, 1]);
  // An entity is read with its containment, which takes long in a store of many regions.
  expect(lookups).toBe(0);
  expect(answered.size).toBe(1_001);
  const [[, whole]] = answered.get(0)! as [[string, string[]]];
  expect(whole.map((point) => point.split(' ')[1])).toEqual(['111', 'null', '140']);
  for (let at = 0; at < 1_000; at++) expect(answered.get(at)).toEqual([['250 0', whole]]);
  expect(answered.get(1_000)).toEqual([['250 0', whole.slice(2)]]);
});

it('answers each of the selections that share series, and reads the others together', async () => {
  const one = selectionOf(known.revised);
  const both = { ...one, regionId: [known.revised.region_id, known.dissolved.region_id] };
  const trade = selectionOf(known.trade);
  const answered = await answers([both, one, { ...both, includeHistorical: true }, trade]);
  expect(plans.map(({ series }) => series.length)).toEqual([3, 2]);
  expect(answered.get(0)).toHaveLength(2);
  expect(answered.get(2)).toEqual(answered.get(0));
  expect(answered.get(1)).toEqual(answered.get(0)!.filter(([key]) => key.startsWith('250 ')));
});

it('leaves out series of historical regions on request, also when the series are cached', async () => {
  const one = selectionOf(known.revised);
  const both = { ...one, regionId: [known.revised.region_id, known.dissolved.region_id] };
  for (const listed of [1, 1]) {
    const answered = await answers([both, { ...both, includeHistorical: false }]);
    expect(listings).toBe(listed);
    const all = answered.get(0)!;
    expect(all.map(([, points]) => points.length)).toEqual(expect.arrayContaining([1, 3]));
    const current = all.map(([key, points]) => [key, key === '250 0' ? points : []]);
    expect(answered.get(1)).toEqual(current);
  }
});

it('leaves out series of historical partner regions on request', async () => {
  const { region_id, partner_region_id: former } = known.formerTrade;
  const both = { ...selectionOf(known.trade), partnerRegionId: [known.trade.partner_region_id, former] };
  const answered = await answers([both, { ...both, includeHistorical: false }]);
  expect(Object.fromEntries(answered.get(0)!)[`${region_id} ${former}`]).toHaveLength(1);
  const current = answered.get(0)!.map(([key, points]) => [key, key.endsWith(` ${former}`) ? [] : points]);
  expect(answered.get(1)).toEqual(current);
});

it('lists series once if the same selection without historical regions is requested again', async () => {
  const regionId = [known.revised.region_id, known.dissolved.region_id];
  const current = { ...selectionOf(known.revised), regionId, includeHistorical: false };
  const first = await answers([current]);
  expect(await answers([current])).toEqual(first);
  expect(listings).toBe(1);
});

it('answers equal selections with a block each as JSON', async () => {
  const one = selectionOf(known.revised);
  const missing = { ...one, regionId: 276 };
  const json = async (queries: Query[]) =>
    (await (await post(queries, 'application/json')).json()) as object[];
  const [block] = await json([one]);
  expect(await json([one, missing, one])).toEqual([block, block]);
});

it('answers random selections as it answers each alone', async () => {
  const query = fc.record(
    {
      region: fc.constantFrom([250], [250, 276], [276], [known.dissolved.region_id, 250, 840]),
      partner: fc.constantFrom(0, known.trade.partner_region_id),
      insertNull: fc.boolean(),
      unitId: fc.constant(20),
    },
    { requiredKeys: ['region', 'partner'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(query, { minLength: 1, maxLength: 8 }), async (drawn) => {
      const queries = drawn.map(({ region, partner, ...flags }) => ({
        ...selectionOf({ ...known.revised, partner_region_id: partner }),
        regionId: region,
        ...flags,
      }));
      const together = await answers(queries);
      for (const [at, one] of queries.entries()) {
        expect(together.get(at)).toEqual((await answers([one])).get(0));
      }
    }),
    { numRuns: countRuns({ quick: 8, all: 60 }) },
  );
});

it('refuses selections that name too many series, present or missing', async () => {
  const one = {
    ...selectionOf(known.revised),
    regionId: [known.revised.region_id, known.dissolved.region_id],
  };
  const response = await post(Array(6_000).fill(one), 'application/json');
  expect(response.status).toBe(413);
  expect(await response.text()).toContain('more than 10000 series');
  const absent = { ...one, regionId: Array.from({ length: 100 }, (_, i) => 5_000_000 + i) };
  const wide = Array.from({ length: 1_001 }, (_, i) => ({ ...absent, sourceId: 1_000 + i }));
  const refused = await post(wide, 'application/json');
  expect(refused.status).toBe(413);
  expect(await refused.text()).toContain('more than 100000 series that do not exist');
});
