import type { ServiceClient } from '../../client/client.js';
import { UnitError } from '../../model/errors.js';
import { PartialDataError, type RetrievalReport } from '../../model/report.js';
import { failEverySeries, joinResults, type SeriesResult, seriesOf } from './series-result.js';

/** Series that are converted at once: their points are in memory twice while they are. */
const MAX_SERIES_AT_ONCE = 50;

/**
 * Replaces the points of the results by points in one unit.
 * @throws UnitError; PartialDataError when units cannot be looked up, with the unconverted points in their own units
 */
export async function convertResults(
  client: Pick<ServiceClient, 'toUnit'>,
  results: SeriesResult[],
  { unit_id, report, signal }: { unit_id: number; report: RetrievalReport; signal: AbortSignal | undefined },
): Promise<void> {
  try {
    for (let from = 0; from < results.length; from += MAX_SERIES_AT_ONCE) {
      const some = results.slice(from, from + MAX_SERIES_AT_ONCE);
      const runs = some.flatMap(({ answer }) => answer?.runs ?? []);
      const converted = await client.toUnit({ series: some.map(seriesOf), runs }, unit_id, signal);
      let next = 0;
      for (const [at, { answer, ...result }] of some.entries()) {
        if (answer === null) continue;
        const ofSeries = converted.runs.slice(next, next + answer.runs.length);
        next += ofSeries.length;
        const series = converted.series[at]!;
        results[from + at] = { ...result, answer: { ...answer, series, runs: ofSeries } };
      }
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof UnitError) throw cause;
    throw new PartialDataError(
      failEverySeries(report, 'its points cannot be converted', cause),
      () => joinResults(results),
      cause,
    );
  }
}
