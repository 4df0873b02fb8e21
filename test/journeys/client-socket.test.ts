import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/create-client.js';
import { frameChecksum } from '../../src/frame/table/checksum.js';
import { PartialDataError } from '../../src/model/report.js';
import { type Serving, serve } from '../../src/service/http/serve.js';
import { countRuns, firstSeed, listCounts, tellFigures, timeLimit } from '../endurance.js';
import { cornSeries, fillWithCorn } from './corn-states.js';
import { AT_ONCE, type DemoService, openDemoService } from './demo-service.js';
import { isConnectionFailure } from './faults.js';
import { type FaultyProxy, openFaultyProxy } from './faulty-proxy.js';

const SERIES = cornSeries(50);
const FAULTS = countRuns({ quick: 30, all: 120 });
const FIRST_SEED = firstSeed(7_000);

let corn: DemoService;
let serving: Serving;
let proxy: FaultyProxy;
beforeAll(async () => {
  corn = await openDemoService(fillWithCorn(50, 20));
  serving = await serve(corn.service, { port: 0 });
  proxy = await openFaultyProxy(serving.url);
});
afterAll(async () => {
  await proxy.close();
  await serving.close();
  await corn.close();
});

function overSocket(): Client {
  const client = corn.client({
    api_host: proxy.url,
    fetch: (request) => fetch(uncompressed(request)),
    timeoutMs: 2000,
    retry: { ...AT_ONCE, retries: 3 },
  });
  for (const series of SERIES) client.addSingleDataSeries(series);
  return client;
}

/** Connections that were spoilt so far. */
function faultCount(): number {
  let count = 0;
  for (const [fault, times] of proxy.injected) if (fault !== 'none') count += times;
  return count;
}

/** Uncompressed, so that our own checks must find the damage, not the decompression. */
function uncompressed(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set('accept-encoding', 'identity');
  return new Request(request, { headers });
}

describe('over a real socket', () => {
  it(`gives the exact result or names what failed, under ${FAULTS} seeded faults`, {
    timeout: timeLimit(180_000),
  }, async () => {
    proxy.reseed(0, 0);
    const expected = frameChecksum(await overSocket().getDf({ include_names: true }));
    const tally = { exact: 0, failed: 0 };
    proxy.injected.clear();
    let runs = 0;
    for (; faultCount() < FAULTS; runs++) {
      const seed = FIRST_SEED + runs;
      proxy.reseed(seed, [0.2, 0.5, 0.8][runs % 3]!);
      try {
        const table = await overSocket().getDf({ include_names: true });
        expect(frameChecksum(table), `a wrong frame with seed ${seed}`).toBe(expected);
        tally.exact++;
      } catch (error) {
        if (!(error instanceof PartialDataError || isConnectionFailure(error)))
          throw new Error(`seed ${seed} ended otherwise`, { cause: error });
        tally.failed++;
      }
    }
    tellFigures(
      `${faultCount()} spoilt connections in ${runs} retrievals over sockets, seeds from ${FIRST_SEED}: ${tally.exact} exact, ` +
        `${tally.failed} that named what failed, 0 wrong (${listCounts(proxy.injected)})`,
    );
    expect(tally.exact + tally.failed).toBe(runs);
    expect(tally.exact).toBeGreaterThan(0);
  });

  it('keeps connections alive: a hundred lookups need no more connections than run at once', async () => {
    proxy.reseed(1, 0);
    proxy.injected.clear();
    const client = overSocket();
    for (let id = 1; id <= 100; id++) await client.getAllowedUnits(id);
    expect(proxy.injected.get('none')).toBeLessThan(5);
  });
});
