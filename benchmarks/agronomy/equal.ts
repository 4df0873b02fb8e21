import type { DegreeDaysMatrix } from '../../src/agronomy/degree-days/matrix.js';
import type { Totals } from './plain-loops.js';

/** Fails unless the values are equal but for the rounding of sums in another order. */
export function assertClose(ours: ArrayLike<number>, theirs: ArrayLike<number>): void {
  if (ours.length !== theirs.length) throw new RangeError(`${ours.length} values against ${theirs.length}`);
  for (let i = 0; i < ours.length; i++) {
    const [one, other] = [ours[i]!, theirs[i]!];
    if (Number.isNaN(one) && Number.isNaN(other)) continue;
    if (!(Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one)))) {
      throw new RangeError(`value ${i}: ${one} is not ${other}`);
    }
  }
}

/** Fails unless totals and counted days of every region are equal. */
export function assertTotalsEqual(ours: DegreeDaysMatrix, { totals, counted }: Totals): void {
  assertClose(ours.totals, totals);
  assertClose(ours.days_counted, counted);
}
