import { atPosition, type PackedPoints } from '../../columns/packed-points.js';
import type { PointSeries } from '../../columns/point-columns.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { ContractError } from '../../model/errors.js';
import { seriesKeyText } from '../../model/series.js';
import type { BatchSelection, NumberedRequest } from './batch-plan.js';
import type { PointAnswer } from './point-answer.js';

/** The complete points of one series; the `series` of each run is 0. */
export interface SeriesPoints {
  readonly series: PointSeries;
  readonly runs: readonly PackedPoints[];
}

/**
 * Passes on each series of a batch as soon as it is complete: when the next one begins, or at the end of the stream. It
 * remains valid when the stream breaks later.
 * @throws ContractError when the answer is not of the requested series
 */
export async function readBatch(
  answer: PointAnswer,
  selections: readonly BatchSelection[],
  onSeries: (requests: readonly NumberedRequest[], points: SeriesPoints) => void,
): Promise<void> {
  const requests = matchSeries(answer, selections);
  let open = 0;
  let runs: PackedPoints[] = [];
  const closeUpTo = (position: number): void => {
    for (; open < position; open++) {
      onSeries(requests[open]!, { series: withoutSelection(answer.series[open]!), runs });
      runs = [];
    }
  };
  for await (const batch of answer.batches) {
    for (const run of batch) {
      if (run.series < open || run.series >= requests.length) throw outOfOrder();
      closeUpTo(run.series);
      runs.push(atPosition(run, 0));
    }
  }
  closeUpTo(requests.length);
}

/** The requests for each series of the answer, which must hold every requested series once. */
function matchSeries(
  { series }: PointAnswer,
  selections: readonly BatchSelection[],
): (readonly NumberedRequest[])[] {
  const missing = selections.map(({ requests }) => new Map(requests));
  const matched = series.map((one) => {
    const ofSelection = missing[one.selection ?? 0];
    const key = seriesKeyText(one);
    const requests = ofSelection?.get(key);
    if (requests === undefined) throw otherSeries();
    ofSelection!.delete(key);
    return requests;
  });
  if (missing.some(({ size }) => size > 0)) throw otherSeries();
  return matched;
}

function withoutSelection({ selection: _, ...series }: BlockSeries): PointSeries {
  return series;
}

function otherSeries(): ContractError {
  return new ContractError('pointsBatch', 'pointsBatch: the answer is not of the requested series');
}

function outOfOrder(): ContractError {
  return new ContractError('pointsBatch', 'pointsBatch: the points are not ordered by series');
}
