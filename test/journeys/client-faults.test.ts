import type { Table } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/create-client.js';
import { frame } from '../../src/frame/frame.js';
import { frameChecksum } from '../../src/frame/table/checksum.js';
import { PartialDataError } from '../../src/model/report.js';
import { seriesKeyText } from '../../src/model/series.js';
import { countRuns, firstSeed, listCounts, tellFigures, timeLimit } from '../endurance.js';
import { cornSeries, fillWithCorn } from './corn-states.js';
import { AT_ONCE, useDemoService } from './demo-service.js';
import { type Fault, faultyFetch, isConnectionFailure, remembering } from './faults.js';

const SERIES = cornSeries(50);
const FAULTS = countRuns({ quick: 100, all: 6000 });
/** Another seed injects other faults. */
const FIRST_SEED = firstSeed(20_260_401);

const corn = useDemoService(fillWithCorn(50, 20));

function fetchAll(client: Client): Promise<Table> {
  for (const series of SERIES) client.addSingleDataSeries(series);
  return client.getDf({ include_names: true });
}

/** Everything in a frame except the time of its retrieval. */
function identity(table: Table): string {
  const { retrieved_at: _, ...provenance } = frame(table).provenance!;
  return `${frameChecksum(table)} ${JSON.stringify(provenance)}`;
}

describe('a retrieval of 50 series over a bad connection', () => {
  it(`gives the exact result or names what failed, under ${FAULTS} seeded faults`, {
    timeout: timeLimit(180_000),
  }, async () => {
    const service = remembering(corn.service);
    const expected = identity(await fetchAll(corn.client({ fetch: service })));
    const names = new Set(SERIES.map(seriesKeyText));
    const tally = { exact: 0, failed: 0, single: 0 };
    const faults = new Map<Fault, number>();
    let [runs, count] = [0, 0];
    for (; count < FAULTS; runs++) {
      const seed = FIRST_SEED + runs;
      const share = [0.05, 0.15, 0.3, 0.45, 0.6][runs % 5]!;
      const { fetch, injected } = faultyFetch(service, { seed, share });
      try {
        const table = await fetchAll(corn.client({ fetch, retry: { ...AT_ONCE, retries: 3 } }));
        expect(identity(table), `a wrong frame with seed ${seed} (${injected.join(', ')})`).toBe(expected);
        tally.exact++;
      } catch (error) {
        const failed = error instanceof PartialDataError ? error.failed : [];
        if (failed.length === 0 && !isConnectionFailure(error))
          throw new Error(`seed ${seed} ended otherwise`, { cause: error });
        if (failed.length === 0) tally.single++;
        for (const { series, reason } of failed) {
          expect(names.has(seriesKeyText(series)), `seed ${seed} names a series that was not requested`).toBe(
            true,
          );
          expect(reason, `seed ${seed}`).toBeTruthy();
        }
        tally.failed++;
      }
      for (const fault of injected) faults.set(fault, (faults.get(fault) ?? 0) + 1);
      count += injected.length;
    }
    tellFigures(
      `${count} faults in ${runs} retrievals of 50 series, seeds from ${FIRST_SEED}: ${tally.exact} exact, ` +
        `${tally.failed} that named what failed, 0 wrong (${listCounts(faults)})`,
    );
    expect(tally.exact + tally.failed).toBe(runs);
    expect(tally.exact).toBeGreaterThan(runs / 4);
    expect(tally.failed).toBeGreaterThan(runs / 20);
    expect(tally.failed - tally.single).toBeGreaterThan(runs / 40);
  });
});
