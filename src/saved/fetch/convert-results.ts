import type { ServiceClient } from '../../client/client.js';
import { UnitError } from '../../model/errors.js';
import { PartialDataError, type RetrievalReport } from '../../model/report.js';
import { PointArena } from './point-arena.js';
import { joinResults, type SeriesResult, seriesOf, unusable } from './series-result.js';

/** Outcomes converted at once: the points of so many are held twice for a moment. */
const AT_ONCE = 50;

/**
 * Puts points in one unit in the place of those that arrived.
 * @throws UnitError; PartialDataError, with what could not be converted in its own units, when units cannot be looked up
 */
export async function convertResults(
  client: Pick<ServiceClient, 'toUnit'>,
  outcomes: SeriesResult[],
  { unit_id, report, signal }: { unit_id: number; report: RetrievalReport; signal: AbortSignal | undefined },
): Promise<void> {
  const holder = new PointArena();
  try {
    for (let from = 0; from < outcomes.length; from += AT_ONCE) {
      const some = outcomes.slice(from, from + AT_ONCE);
      const batches = some.flatMap(({ answer }) => answer?.batches ?? []);
      const converted = await client.toUnit({ series: some.map(seriesOf), batches }, unit_id, signal);
      let next = 0;
      for (const [at, { answer, ...outcome }] of some.entries()) {
        if (answer === null) continue;
        const own = converted.batches.slice(next, next + answer.batches.length);
        next += own.length;
        const series = converted.series[at]!;
        outcomes[from + at] = { ...outcome, answer: { ...answer, series, batches: holder.hold(own) } };
      }
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof UnitError) throw cause;
    throw new PartialDataError(
      unusable(report, 'it cannot be converted', cause),
      joinResults(outcomes),
      cause,
    );
  }
}
