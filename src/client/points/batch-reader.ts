import type { PointColumns, PointSeries } from '../../columns/point-columns.js';
import { atPosition, copyColumns, sliceColumns } from '../../columns/point-rows.js';
import { seriesRuns } from '../../columns/series-runs.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { ContractError } from '../../model/errors.js';
import { seriesKeyText } from '../../model/series.js';
import type { BatchSelection, NumberedRequest } from './batch-plan.js';
import type { PointAnswer } from './point-answer.js';

/** The points of one series, whole, at position 0. */
export interface SeriesPoints {
  readonly series: PointSeries;
  readonly batches: readonly PointColumns[];
}

/**
 * Hands over every series of a batch as soon as it is whole: when a later one begins, or the stream has ended soundly.
 * What was handed over stays good when the stream breaks. It stands in memory that later series take: what is to be
 * kept is copied while it is handed over.
 * @throws ContractError when the answer is not of the series asked for
 */
export async function readBatch(
  answer: PointAnswer,
  selections: readonly BatchSelection[],
  onSeries: (asking: readonly NumberedRequest[], points: SeriesPoints) => void,
): Promise<void> {
  const askedBy = matchSeries(answer, selections);
  let open = 0;
  let parts: PointColumns[] = [];
  const closeUpTo = (position: number): void => {
    for (; open < position; open++) {
      onSeries(askedBy[open]!, { series: withoutSelection(answer.series[open]!), batches: parts });
      parts = [];
    }
  };
  for await (const columns of answer.batches) {
    for (const { position, from, to } of seriesRuns(columns)) {
      if (position < open || position >= askedBy.length) throw outOfOrder();
      closeUpTo(position);
      const part = atPosition(sliceColumns(columns, from, to), 0);
      parts.push(to < columns.length ? part : copyColumns(part));
    }
  }
  closeUpTo(askedBy.length);
}

/** Who asked for each series of the answer; every series asked for must be there once. */
function matchSeries(
  { series }: PointAnswer,
  selections: readonly BatchSelection[],
): (readonly NumberedRequest[])[] {
  const missing = selections.map(({ askedBy }) => new Map(askedBy));
  const matched = series.map((one) => {
    const ofSelection = missing[one.selection ?? 0];
    const key = seriesKeyText(one);
    const asking = ofSelection?.get(key);
    if (asking === undefined) throw otherSeries();
    ofSelection!.delete(key);
    return asking;
  });
  if (missing.some(({ size }) => size > 0)) throw otherSeries();
  return matched;
}

function withoutSelection({ selection: _, ...series }: BlockSeries): PointSeries {
  return series;
}

function otherSeries(): ContractError {
  return new ContractError('pointsBatch', 'pointsBatch: the answer is not of the series that were asked for');
}

function outOfOrder(): ContractError {
  return new ContractError('pointsBatch', 'pointsBatch: the points do not come by series');
}
