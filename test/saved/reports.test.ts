import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PointSet } from '../../src/columns/packed-points.js';
import type { Client } from '../../src/create-client.js';
import { fromArrow } from '../../src/frame/formats/read-arrow.js';
import { AuthenticationError, NetworkError } from '../../src/model/errors.js';
import { PartialDataError, type RetrievalReport } from '../../src/model/report.js';
import { cornSeries, fillWithCorn } from '../journeys/corn-states.js';
import { counting, type DemoService, openDemoService } from '../journeys/demo-service.js';
import { jsonOnlyService } from '../journeys/json-only-service.js';
import { temporaryFolder } from '../temporary-files.js';

const SERIES = cornSeries(30);
let corn: DemoService;
beforeAll(async () => {
  corn = await openDemoService(fillWithCorn(30, 20));
});
afterAll(() => corn.close());

function saving(client: Client): Client {
  for (const series of SERIES) client.addSingleDataSeries(series);
  client.addSingleDataSeries({ ...SERIES[0]!, region_id: 1 });
  client.addSingleDataSeries({ ...SERIES[2]!, start_date: '2500-01-01' });
  return client;
}

const refusing = (region_id: number) => async (request: Request) => {
  const asked = `${new URL(request.url).search}${await request.clone().text()}`;
  const refused = request.url.includes('/v2/data') && asked.includes(String(region_id));
  return refused ? new Response('{"message":"no such luck"}', { status: 400 }) : corn.service(request);
};

describe('the report of a fetch', () => {
  it.each([
    ['batches', (client: DemoService) => client.service],
    ['single requests', (client: DemoService) => jsonOnlyService(client.service)],
  ])('accounts for every series, in saved order: data, empty, with its rows (%s)', async (_, form) => {
    const table = await saving(corn.client({ fetch: form(corn) })).getDf();
    const { report } = table.provenance!;
    expect(report).toHaveLength(32);
    expect(report[0]).toEqual({
      series: SERIES[0],
      rows: 20,
      outcome: 'data',
      reason: null,
      truncated: false,
      from_cache: false,
    });
    expect(report[6]).toMatchObject({ rows: 3, outcome: 'data' });
    expect(report.slice(30)).toMatchObject([
      { rows: 0, outcome: 'empty', reason: null },
      { rows: 0, outcome: 'empty', reason: null },
    ]);
    expect(sum(report)).toBe(table.numRows);
  });

  it('is that of a file too, which has the rows of the frame, also where a series was saved twice', async () => {
    const client = saving(corn.client());
    client.addSingleDataSeries({ ...SERIES[0]!, end_date: '2005-12-31' });
    const path = join(temporaryFolder(), 'twice.arrow');
    const { report } = await client.writeDf(path);
    const table = await client.getDf();
    expect(fromArrow(readFileSync(path)).toRows()).toEqual(table.toRows());
    const seriesAndRows = (all: RetrievalReport) => all.map(({ series, rows }) => ({ series, rows }));
    expect(seriesAndRows(report)).toEqual(seriesAndRows(table.provenance!.report));
  });

  it('names the one series of a batch that fails, and keeps all others', async () => {
    const { fetch, asked } = counting(refusing(SERIES[9]!.region_id));
    const error = await saving(corn.client({ fetch }))
      .getDf()
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PartialDataError);
    const { failed, report, partial, message } = error as PartialDataError;
    expect(failed.map(({ series }) => series)).toEqual([SERIES[9]]);
    expect(message).toMatch(new RegExp(`region ${SERIES[9]!.region_id}.*no such luck`));
    expect(sum(report)).toBe((partial as PointSet).runs.reduce((n, run) => n + run.length, 0));
    expect(asked.get('POST /v2/data')).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(32)));
    // The one that fails, perhaps its neighbour, and the one that the service does not know.
    expect(asked.get('GET /v2/data')).toBeLessThanOrEqual(3);
  });

  it('returns the frame with the report when partial data is allowed', async () => {
    const client = saving(corn.client({ fetch: refusing(SERIES[9]!.region_id) }));
    const table = await client.getDf({ allow_partial: true });
    const { report } = table.provenance!;
    expect(report.filter(({ outcome }) => outcome === 'failed')).toHaveLength(1);
    expect(table.numRows).toBe(sum(report));
  });

  it('is not needed when one cause fails every series: that error is thrown, after a request or two', async () => {
    const { fetch, total } = counting(corn.service);
    const refused = saving(corn.client({ fetch, access_token: 'wrong' }));
    await expect(refused.getDf()).rejects.toBeInstanceOf(AuthenticationError);
    expect(total()).toBeLessThanOrEqual(2);
    await expect(refused.writeDf('never-written.arrow')).rejects.toBeInstanceOf(AuthenticationError);
    const unreachable = async () => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    };
    const gone = saving(corn.client({ fetch: unreachable, retry: { retries: 0 } }));
    await expect(gone.getDf()).rejects.toThrow(NetworkError);
  });
});

function sum(report: RetrievalReport): number {
  return report.reduce((total, { rows }) => total + rows, 0);
}
