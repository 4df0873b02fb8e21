import type { PointColumns, PointSet } from '../../columns/point-columns.js';
import { copyColumns } from '../../columns/point-rows.js';
import { convertUnits, NO_UNIT_ID } from '../../compute/units.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { ArgumentError, AuthenticationError, ContractError } from '../../model/errors.js';
import type { DataPoint, PointFlags } from '../../model/point.js';
import type { LongOperation } from '../../model/progress.js';
import { PartialDataError } from '../../model/report.js';
import {
  SELECTION_FIELDS,
  type Selection,
  type SelectionLists,
  selectionLists,
} from '../../model/selection.js';
import type { EntityOperations } from '../entities.js';
import type { Origin, Transport } from '../http/transport.js';
import { type FlagQuery, toFlagQuery, toQuery } from '../query.js';
import { toDataPoints } from './data-points.js';
import { FetchProgress } from './fetch-progress.js';
import { withoutHistorical } from './historical.js';
import { type PartResult, reportOf } from './part-report.js';
import { type FormatNegotiation, openPointAnswer } from './point-answer.js';
import { splitSelection } from './split-selection.js';

/** A retrieval: which series, which of their points, and in which unit. */
export interface PointRequest extends Selection, PointFlags, LongOperation {
  /** Every point is converted to this unit; points without a unit stay as they are. */
  unit_id?: number | undefined;
}

const REQUIRED = ['metric_id', 'item_id', 'region_id', 'source_id', 'frequency_id'] as const;

/** Points as one request gave them. */
export interface RetrievedPoints {
  readonly series: readonly BlockSeries[];
  readonly batches: readonly PointColumns[];
  readonly origin: Origin;
}

/** Retrieval: points as objects, or as columns for those who compute. */
export function pointOperations(
  transport: Transport,
  entities: Pick<EntityOperations, 'lookupList'>,
  forms: FormatNegotiation,
) {
  /**
   * Points of the selected series as columns. A selection of more series than one request should ask for is split over
   * several; each is retried by itself, so that what has arrived is not fetched again.
   * @throws ArgumentError when a required id is missing; UnitError when a unit is not convertible; PartialDataError when
   * a part of a split selection failed; the errors of the transport
   */
  async function getPointSet(request: PointRequest): Promise<PointSet> {
    const { signal, onProgress, unit_id } = request;
    checkRequired(request);
    const flags = toFlagQuery(request);
    toQuery(request);
    const parts = splitSelection(selectionLists(request));
    const progress = new FetchProgress('fetching points', {
      total: parts.length,
      unit: 'requests',
      onProgress,
    });
    const outcomes = await Promise.all(
      parts.map((lists) =>
        settlePart(lists, parts.length > 1, async () => {
          const points = await retrieve(lists, flags, {
            signal,
            onBytes: (bytes) => progress.received(bytes),
          });
          progress.arrived(rowsOf(points.batches));
          return points;
        }),
      ),
    );
    signal?.throwIfAborted();
    const points = joinParts(outcomes, request.include_historical);
    const failed = outcomes.find((outcome) => outcome.cause !== undefined);
    if (failed !== undefined) throw new PartialDataError(reportOf(outcomes), points, failed.cause);
    return unit_id === undefined ? points : toUnit(points, unit_id, signal);
  }

  /** One request for points. */
  async function retrieve(
    lists: SelectionLists,
    flags: FlagQuery,
    { signal, onBytes }: Pick<LongOperation, 'signal'> & { onBytes?: ((bytes: number) => void) | undefined },
  ): Promise<RetrievedPoints> {
    const query = { ...toQuery(lists), ...flags, responseType: 'list_of_series' };
    const ask = (accept: string) =>
      transport.read('points', { query, accept, signal, onBytes }, async (response, origin) => {
        const { series, batches, accounted } = await openPointAnswer('points', response);
        if (accounted && !origin.moved) checkAsked(series, lists);
        const arrived: PointColumns[] = [];
        for await (const columns of batches) arrived.push(copyColumns(columns));
        return { series, batches: arrived, origin };
      });
    const { accept } = forms;
    try {
      return await ask(accept);
    } catch (error) {
      if (forms.refusedArrow(error, accept)) return ask(forms.accept);
      throw error;
    }
  }

  /**
   * Every point converted to one unit; points that have it, or none, stay as they are, nulls stay null.
   * @throws UnitError "unit_id N is not convertible" when a unit is unknown or has no factor
   */
  async function toUnit(points: PointSet, unit_id: number, signal?: AbortSignal): Promise<PointSet> {
    const others = new Set<number>();
    for (const columns of points.batches) for (const unit of columns.unit_id) others.add(unit);
    others.delete(unit_id);
    others.delete(NO_UNIT_ID);
    const ids = others.size === 0 ? [] : [...others, unit_id];
    return convertUnits(points, unit_id, await entities.lookupList('units', ids, { signal }));
  }

  /**
   * Points of the selected series as objects, by series and period.
   * @throws what `getPointSet` throws
   */
  async function getDataPoints(request: PointRequest): Promise<DataPoint[]> {
    return toDataPoints(await getPointSet(request));
  }

  return { getPointSet, getDataPoints, toUnit, retrieve };
}

/** The operations that retrieve points. */
export type PointOperations = ReturnType<typeof pointOperations>;

/** @throws ArgumentError that names what is missing */
function checkRequired(request: PointRequest): void {
  const missing = REQUIRED.find((field) => request[field] === undefined || request[field] === null);
  if (missing !== undefined) throw new ArgumentError(missing, `${missing}: is required to retrieve points`);
}

/** @throws ContractError when the answer is of other series than the question */
function checkAsked(series: readonly BlockSeries[], lists: SelectionLists): void {
  const asked = SELECTION_FIELDS.map((field) => ({ field, ids: new Set(lists[field]) }));
  const stranger = series.find((one) => asked.some(({ field, ids }) => ids.size > 0 && !ids.has(one[field])));
  if (stranger !== undefined)
    throw new ContractError('points', 'points: the answer is not of the series that were asked for');
}

/** A part's points, or why it failed; the failure itself when there is but one part, or no token that holds. */
async function settlePart(
  lists: SelectionLists,
  isOneOfSeveral: boolean,
  fetch: () => Promise<RetrievedPoints>,
): Promise<PartResult> {
  try {
    return { lists, points: await fetch() };
  } catch (cause) {
    if (!isOneOfSeveral || cause instanceof AuthenticationError) throw cause;
    return { lists, points: null, cause };
  }
}

function joinParts(outcomes: readonly PartResult[], include_historical: boolean | undefined): PointSet {
  const series: BlockSeries[] = [];
  const batches: PointColumns[] = [];
  for (const { points } of outcomes) {
    const offset = series.length;
    series.push(...(points?.series ?? []));
    for (const columns of points?.batches ?? [])
      batches.push(offset === 0 ? columns : { ...columns, series: columns.series.map((at) => at + offset) });
  }
  return include_historical === false ? withoutHistorical({ series, batches }) : { series, batches };
}

function rowsOf(batches: readonly PointColumns[]): number {
  return batches.reduce((sum, { length }) => sum + length, 0);
}
