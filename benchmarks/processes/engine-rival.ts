import { strict as assert } from 'node:assert';
import { type Rival, rival } from '../workload.js';
import type { Scan, Scanned } from './engine-process.js';
import { type Answered, medianCpu, spreadOf } from './service-reader.js';
import type { Measured } from './tasks.js';
import type { Worker } from './worker.js';

/** Values of one decimal: sums of them in another order differ less. */
const MAX_DIFFERENCE = 0.01;

/** Fails unless as many points were read, with the same sum. */
export function assertSameTotal(ours: Answered, theirs: Measured<{ rows: number; sum: number }>): void {
  assert.equal(ours.answer.rows, theirs.answer.rows);
  const difference = Math.abs(ours.answer.sum - theirs.answer.sum);
  assert.ok(difference < MAX_DIFFERENCE, `the sums differ by ${difference}`);
}

/** The same series from the bare engine, a query each, with a connection a reader. */
export function engineRival(
  engine: Worker<Scan, Scanned>,
  scan: Scan,
  wanted?: number | undefined,
): Rival<Answered> {
  return rival<Answered, Measured<Scanned>>({
    rival: 'bare engine, a query each',
    run: () => engine.run(scan),
    ownMs: ({ ms }) => ms,
    assertEqual: assertSameTotal,
    figures: (first, runs) => ({
      ...spreadOf('engine ', runs),
      'engine CPU ms': medianCpu(runs),
      'engine first run ms': Math.round(first.ms),
    }),
    wanted,
  });
}
