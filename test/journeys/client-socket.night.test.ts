import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/create-client.js';
import { frameChecksum } from '../../src/frame/table/checksum.js';
import { PartialDataError } from '../../src/model/report.js';
import { type Serving, serve } from '../../src/service/http/serve.js';
import { ChaosProxy } from '../chaos/proxy.js';
import { countRuns, firstSeed, listCounts, tellFigures, timeLimit } from '../endurance.js';
import { cornSeries, fillWithCorn } from './corn-states.js';
import { AT_ONCE, type DemoService, openDemoService } from './demo-service.js';
import { isConnectionFailure } from './faults.js';
import { seededRandom } from './seeded-random.js';

const SERIES = cornSeries(50);
const FAULTS = countRuns({ quick: 30, all: 120 });
const FIRST_SEED = firstSeed(7_000);

let corn: DemoService;
let serving: Serving;
beforeAll(async () => {
  corn = await openDemoService(fillWithCorn(50, 20));
  serving = await serve(corn.service, { port: 0 });
});
afterAll(async () => {
  await serving.close();
  await corn.close();
});

/** A client of the service behind a proxy, which its seed damages. */
async function throughProxy<Result>(
  seed: number,
  isCalm: boolean,
  work: (client: Client, proxy: ChaosProxy) => Promise<Result>,
): Promise<Result> {
  const proxy = new ChaosProxy(seededRandom(seed), Number(new URL(serving.url).port));
  proxy.isCalm = isCalm;
  const client = corn.client({
    api_host: await proxy.listen(),
    fetch: (request) => fetch(uncompressed(request)),
    timeout_ms: 1000,
    retry: { ...AT_ONCE, retries: 3 },
  });
  for (const series of SERIES) client.addSingleDataSeries(series);
  try {
    return await work(client, proxy);
  } finally {
    await proxy.close();
  }
}

/** Uncompressed, so that our own checks must find the damage, not the decompression. */
function uncompressed(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set('accept-encoding', 'identity');
  return new Request(request, { headers });
}

const checksumOf = async (client: Client) => frameChecksum(await client.getDf({ include_names: true }));

describe('over a real socket', () => {
  it(`gives the exact result or names what failed, under ${FAULTS} seeded faults`, {
    timeout: timeLimit(180_000),
  }, async () => {
    const expected = await throughProxy(0, true, checksumOf);
    const tally = { exact: 0, failed: 0 };
    const injected = new Map<string, number>();
    let [runs, count] = [0, 0];
    for (; count < FAULTS; runs++) {
      const seed = FIRST_SEED + runs;
      await throughProxy(seed, false, async (client, proxy) => {
        try {
          expect(await checksumOf(client), `a wrong frame with seed ${seed}`).toBe(expected);
          tally.exact++;
        } catch (error) {
          if (!(error instanceof PartialDataError || isConnectionFailure(error)))
            throw new Error(`seed ${seed} ended otherwise`, { cause: error });
          tally.failed++;
        }
        for (const [fault, times] of proxy.injected) {
          injected.set(fault, (injected.get(fault) ?? 0) + times);
          count += times;
        }
      });
    }
    tellFigures(
      `${count} faults in ${runs} retrievals over sockets, seeds from ${FIRST_SEED}: ${tally.exact} exact, ` +
        `${tally.failed} that named what failed, 0 wrong (${listCounts(injected)})`,
    );
    expect(tally.exact).toBeGreaterThan(0);
  });

  it('keeps connections alive: a hundred lookups need no more connections than run at once', async () => {
    const connections = await throughProxy(1, true, async (client, proxy) => {
      for (let id = 1; id <= 100; id++) await client.getAllowedUnits(id);
      return proxy.connections;
    });
    expect(connections).toBeLessThan(5);
  });
});
