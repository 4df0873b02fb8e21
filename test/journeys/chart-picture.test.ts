import { beforeAll, describe, expect, it } from 'vitest';
import { drawChart } from '../../src/draw-chart.js';
import { metricId } from '../../src/ingest/vocabulary/entities.js';
import { unitId } from '../../src/ingest/vocabulary/units.js';
import { singleTokenAuthorizer } from '../../src/service/access/auth.js';
import type { Service } from '../../src/service/handler.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { newPoints, T0 } from '../store/conformance/sample-data.js';
import { fillWithDemo, TOKEN, useDemoService } from './demo-service.js';

const demo = useDemoService();
let service: Service;
let drawings = 0;
beforeAll(async () => {
  service = counting(demo.store);
});

function counting(store: Store): Service {
  return createService(store, {
    authorize: singleTokenAuthorizer(TOKEN),
    drawChart: (query, ask) => {
      drawings++;
      return drawChart(query, ask);
    },
  });
}

const YIELD = '30-110-10053-0-9-22';
const MAXIMA = '2-2-1389719618-0-1-20';
const get = (query: string, headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` }) =>
  service(new Request(`http://local/v2/chart.svg?${query}`, { headers }));

describe('of a figure with several partner regions, a chart by address', () => {
  const trade = useDemoService(
    Object.assign(
      async (store: Store) => {
        await fillWithDemo(store);
        const of = { metric_id: 30, item_id: 110, region_id: 10053, partner_region_id: 10036, source_id: 22 };
        const year = { of, day: -3287, days: 364, unit: unitId('bu/ac (corn)') };
        const points = [1, 2].map((reported) => ({ ...year, reported, value: 9000 + reported }));
        const transaction = await store.begin();
        await transaction.putPoints(newPoints(points));
        await transaction.record({ imported: { dataset: 'test', sourceIds: [], importedMs: T0 } });
        await transaction.settle();
        await transaction.commit();
      },
      { template: 'demo-with-partner' },
    ),
  );

  it.each([
    ['map', 'highest in Washington with 225 bu/ac, lowest in New York with 133'],
    ['revisions', 'Washington corn yield 2011: 225 bu/ac'],
  ])('%s, has those of the requested partner alone', async (view, text) => {
    const query = `http://local/v2/chart.svg?view=${view}&s=${YIELD}`;
    const headers = { authorization: `Bearer ${TOKEN}` };
    const svg = await (await counting(trade.store)(new Request(query, { headers }))).text();
    expect(svg).toContain(text);
    expect(svg).not.toMatch(/9,?00[12]/);
  });
});

describe('a chart by address', () => {
  it('is a picture of the size and theme that are asked for, with its sentence, date of knowledge and source', async () => {
    const answer = await get(`v=1&s=${YIELD}&asof=2030-05-01&width=700&height=400&theme=dark`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    const svg = await answer.text();
    expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 700 400"/);
    expect(svg).toContain('#14181d');
    const text = [...svg.matchAll(/>([^<>]+)<\/t/g)].map(([, part]) => part).join(' ');
    expect(text).toContain('Washington corn yield 2011: 225 bu/ac, 10% above');
    expect(text).toMatch(/Source: USDA NASS .* As known at the end of 1 May 2030/s);
    expect(svg).not.toMatch(/<script|\son\w+=|href=/);
  });

  it('is drawn once until the store changes, and not sent again to those who have it', async () => {
    const before = drawings;
    const first = await get(`s=${MAXIMA}&every=month`);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const both = [get(`every=month&s=${MAXIMA}`), get(`s=${MAXIMA}&every=month&theme=light`)];
    const svg = await first.text();
    for (const one of both) expect(await (await one).text()).toBe(svg);
    expect(drawings - before).toBe(1);
    const headers = { authorization: `Bearer ${TOKEN}`, 'if-none-match': first.headers.get('etag')! };
    expect((await get(`s=${MAXIMA}&every=month`, headers)).status).toBe(304);
  });

  it('says how the values of each period became one', async () => {
    const textOf = async (query: string) => (await get(`s=${MAXIMA}&every=month${query}`)).text();
    expect(await textOf('')).toMatch(/<title>[^<]*temperature max, mean of \w+ \d+: .*mean of each month/s);
    expect(await textOf('&how=last&y=season')).toMatch(/last value of each month/);
    const rain = await (await get(`s=3-5-1389719618-0-1-20&every=month`)).text();
    // 31 days with a mean of 9.18 mm.
    expect(rain).toMatch(/precipitation, sum of December 2015: 284.5 mm.*sum of each month/s);
    const both = await (await get(`s=3-5-1389719618-0-1-20,${MAXIMA}&every=month`)).text();
    expect(both).toMatch(/Precipitation quantity, sum of each month \(mm\)/);
    expect(both).toMatch(/, mean of each month \(°C\)/);
  });

  it.each([
    [
      `view=map&s=${YIELD}`,
      'Corn yield 2011: highest in Washington with 225 bu/ac, lowest in New York with 133',
    ],
    [
      `view=map&s=${YIELD}&date=2002-12-31`,
      'Corn yield 2002: highest in Washington with 190 bu/ac, lowest in New York with 97',
    ],
    [
      `view=map&s=${YIELD}&date=2011-12-31&date2=2002-12-31`,
      'Change of corn yield from 2002 to 2011: highest in New York with +36 bu/ac, lowest in Washington with +35',
    ],
    [
      `view=map&s=${YIELD}&date=2002-12-31&date2=2011-12-31&change=percent`,
      'Change of corn yield from 2011 to 2002: highest in Washington with −15.6%, lowest in New York with −27.1%',
    ],
    [`view=revisions&s=${YIELD}`, 'Washington corn yield 2011: 225 bu/ac'],
    [`view=revisions&s=${YIELD}&asof=2030-05-01`, 'As known at the end of 1 May 2030'],
    [
      'view=degree-days&gdd=1389719618&gdd_unit=fahrenheit&gdd_base=50&gdd_cap=86&gdd_method=mcmaster-wilhelm-2',
      'Seattle weather station degree days, 1 Apr 2015 – 31 Oct 2015: ',
    ],
    [
      `view=weights&w_crop=110&w_metric=${metricId('Area harvested')}&w_regions=10053,10036`,
      'mean of 2002 to 2011',
    ],
    [
      `view=weights&w_crop=110&w_metric=${metricId('Area harvested')}&w_regions=10053,10036&w_to=2004&w_from=2003`,
      'mean of 2003 to 2004',
    ],
  ])('draws a view of the page with its sentence: %s', async (query, sentence) => {
    const answer = await get(`${query}&width=900&height=500`);
    const svg = await answer.text();
    const text = [...svg.matchAll(/>([^<>]+)<\/t/g)].map(([, part]) => part).join(' ');
    expect(answer.status, svg.slice(0, 300)).toBe(200);
    expect(text).toContain(sentence);
    expect(svg).toContain('Source: ');
  });

  it('describes a map as the page does', async () => {
    const svg = await (await get(`view=map&s=${YIELD}&date=2011-06-30&asof=2030-05-01`)).text();
    const text = [...svg.matchAll(/>([^<>]+)<\/t/g)].map(([, part]) => part).join(' ');
    const notes = 'no region has a value on 30 June 2011 · as known at the end of 1 May 2030';
    expect(text).toContain(`2010 · 2 regions with a value · ${notes}`);
  });

  it.each(['', '&date2=2002-12-31'])('draws the countries around the regions of a map%s', async (dates) => {
    const svg = await (await get(`view=map&s=${YIELD}&date=2011-12-31${dates}`)).text();
    expect(svg).toMatch(/<path[^>]* d="M[^>]*fill="#e4e7eb"|fill="#e4e7eb"[^>]* d="M/);
  });

  it('names the series that have no values', async () => {
    const svg = await (await get(`s=${YIELD},1-2-3-4-5-6&every=year`)).text();
    expect(svg).toContain('Without values: 1-2-3-4-5-6');
    expect(svg).not.toContain(`Without values: ${YIELD}`);
    const later = await (await get(`s=${YIELD},${MAXIMA}&from=2013-01-01`)).text();
    expect(later).toContain('Without values: Corn · Washington');
    const ofFormula = await (await get(`s=${YIELD},30-110-10036-0-9-22&f=a-share-of-b`)).text();
    expect(ofFormula).toContain('Source: ');
    expect(ofFormula).not.toContain('Without values');
  });

  it.each([
    ['s=1-2', 400, 's: "1-2" is not a series'],
    [`s=${YIELD}&y=usua`, 400, 'y: '],
    [`s=${YIELD}&to=2011`, 400, 'to: is not a day'],
    [`s=${YIELD}&from=2020-01-01&to=2015-01-01`, 400, 'from: 2020-01-01 is after to 2015-01-01'],
    [`s=${YIELD}&width=9`, 400, 'width: '],
    [`s=${YIELD}&notes=x`, 400, 'notes: cannot be read'],
    [`s=${YIELD}&view=table`, 400, 'view: '],
    ['view=map', 400, 's: lists no series'],
    [`view=map&s=${YIELD}&date2=2011`, 400, 'date2: is not a day'],
    ['view=weights', 400, 'w_'],
    [
      `view=weights&w_crop=110&w_metric=${metricId('Area harvested')}&w_regions=1389719618`,
      400,
      'regions: none of the regions has Area harvested data for Corn',
    ],
    [
      `view=weights&w_crop=110&w_metric=${metricId('Area harvested')}&w_regions=10053&w_from=2021`,
      400,
      'from: the first year, 2021, is after the last year, 2011',
    ],
    [
      `view=weights&w_crop=110&w_metric=${metricId('Area harvested')}&w_regions=10053&w_from=2021&w_to=2024`,
      400,
      'from: the regions have no Area harvested values for Corn from 2021 to 2024; they have some from 2002 to 2011',
    ],
    ['view=degree-days', 400, 'gdd: is missing'],
    [
      `s=${YIELD},${MAXIMA}&y=usual`,
      400,
      's: the latest year can be drawn against earlier years for only one series',
    ],
    [`s=${YIELD}&y=season`, 400, 's: annual values cannot be drawn over the months of a year'],
    [`s=${YIELD}&from=2050-01-01`, 404, `no values on these dates: ${YIELD}`],
    [`s=${YIELD}&asof=1990-01-01`, 404, 'as known at the end of 1990-01-01'],
    [`s=${YIELD}&unit=1`, 400, 'unit'],
  ])('that cannot be drawn says why: %s', async (query, status, message) => {
    const answer = await get(query);
    const { message: said } = (await answer.json()) as { message: string };
    expect([answer.status, said]).toEqual([status, expect.stringContaining(message)]);
  });

  it('needs a token as the figures do', async () => {
    expect((await get(`s=${YIELD}`, {})).status).toBe(401);
  });

  it('is unknown to a service that does not draw', async () => {
    const plain = createService(demo.store, { authorize: singleTokenAuthorizer(TOKEN) });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await plain(new Request(`http://local/v2/chart.svg?s=${YIELD}`, { headers }));
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('cropframe serve')]);
  });
});
