import type { PointColumns, PointSeries } from '../../columns/point-columns.js';
import { atPosition, copyColumns, sliceColumns } from '../../columns/point-rows.js';
import { seriesRuns } from '../../columns/series-runs.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { ContractError } from '../../model/errors.js';
import { seriesKeyText } from '../../model/series.js';
import type { BatchSelection, NumberedRequest } from './batch-plan.js';
import type { PointAnswer } from './point-answer.js';

/** The complete points of one series; their `series` column is 0. */
export interface SeriesPoints {
  readonly series: PointSeries;
  readonly batches: readonly PointColumns[];
}

/**
 * Passes on each series of a batch as soon as it is complete: when the next one begins, or at the end of the stream. It
 * remains valid when the stream breaks later. Its memory is overwritten by later series: copy what is kept.
 * @throws ContractError when the answer is not of the requested series
 */
export async function readBatch(
  answer: PointAnswer,
  selections: readonly BatchSelection[],
  onSeries: (requests: readonly NumberedRequest[], points: SeriesPoints) => void,
): Promise<void> {
  const requests = matchSeries(answer, selections);
  let open = 0;
  let parts: PointColumns[] = [];
  const closeUpTo = (position: number): void => {
    for (; open < position; open++) {
      onSeries(requests[open]!, { series: withoutSelection(answer.series[open]!), batches: parts });
      parts = [];
    }
  };
  for await (const columns of answer.batches) {
    for (const { position, from, to } of seriesRuns(columns)) {
      if (position < open || position >= requests.length) throw outOfOrder();
      closeUpTo(position);
      const part = atPosition(sliceColumns(columns, from, to), 0);
      parts.push(to < columns.length ? part : copyColumns(part));
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
