import type { PackedPoints } from '../../columns/packed-points.js';
import { countPeriodsBetween, fillGaps } from '../../compute/gaps.js';
import { convertPoints, unitUses } from '../../compute/units.js';
import { MAX_FILLED_PERIODS } from '../../contract/endpoints.js';
import { cutLists } from '../../contract/points/run-frames.js';
import type { Frequency } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { formatDay } from '../../model/time.js';
import type { PointPlan } from '../../store/plan.js';
import { turns } from '../../store/turns.js';
import type { ServiceContext } from '../handler.js';
import { checkConversions, type PlannedPoints } from './plan-points.js';

type Lists = AsyncIterable<readonly PackedPoints[]>;

/** Yields the requested points in lists, with gaps filled and units converted as requested. */
export async function preparePoints(
  { unitId, insertNull, plan }: PlannedPoints,
  service: ServiceContext,
  signal: AbortSignal,
): Promise<Lists> {
  const stored = service.store.points(plan, { signal });
  const filled = insertNull ? cutLists(fillSeries(stored, plan, await service.frequencies())) : stored;
  return unitId === null ? filled : convertLists(filled, { plan, unitId }, service);
}

async function* convertLists(
  lists: Lists,
  { plan, unitId }: { plan: PointPlan; unitId: number },
  service: ServiceContext,
): AsyncGenerator<readonly PackedPoints[]> {
  const units = await service.units();
  for await (const list of lists) {
    await checkConversions(unitUses({ series: plan.series, runs: list }), unitId, service);
    yield list.map((run) => convertPoints(run, unitId, units));
  }
}

/** Checks that gaps can be filled. @throws ArgumentError if a series has too many periods */
export async function checkGaps(
  { plan, insertNull }: PlannedPoints,
  { frequencies: loadFrequencies }: ServiceContext,
): Promise<void> {
  if (!insertNull) return;
  const frequencies = await loadFrequencies();
  for (const series of plan.series) {
    await turns.next();
    const frequency = frequencies.get(series.frequency_id);
    if (frequency === undefined) continue;
    const startMs = plan.startMs ?? series.startMs;
    const endMs = plan.endMs ?? series.endMs;
    const periods = countPeriodsBetween(frequency, { startMs, endMs, anchorMs: series.startMs });
    if (periods <= MAX_FILLED_PERIODS) continue;
    const days = (fromMs: number, toMs: number) => `from ${formatDay(fromMs)} to ${formatDay(toMs)}`;
    const has = `${days(startMs, endMs)} a series with the frequency ${frequency.name} has ${periods} periods`;
    const ownDays = days(series.startMs, series.endMs);
    throw new ArgumentError(
      'insertNull',
      `insertNull: ${has}, but at most ${MAX_FILLED_PERIODS} can be filled; choose a startDate and endDate that are closer together (its data are ${ownDays}), or omit insertNull`,
    );
  }
}

/** Fills the gaps in every series in the plan, including series without points. */
async function* fillSeries(
  lists: Lists,
  plan: PointPlan,
  frequencies: ReadonlyMap<number, Frequency>,
): AsyncGenerator<readonly PackedPoints[]> {
  let position = 0;
  for await (const runs of groupBySeries(lists, plan.series.length)) {
    await turns.next();
    const series = plan.series[position]!;
    const frequency = frequencies.get(series.frequency_id);
    const { startMs: anchorMs, unit_id: unitId } = series;
    const filled =
      frequency === undefined
        ? runs
        : fillGaps(runs, { ...plan, frequency, anchorMs, unitId, series: position });
    for (const run of filled) {
      await turns.next();
      yield [run];
    }
    position++;
  }
}

/** Yields, for each series in order, a list with its runs of points. The list is empty if the series has no points. */
export async function* groupBySeries(
  lists: Lists,
  seriesCount: number,
): AsyncGenerator<readonly PackedPoints[]> {
  let position = 0;
  let runs: PackedPoints[] = [];
  function* endSeriesBefore(next: number): Generator<readonly PackedPoints[]> {
    for (; position < next; position++) {
      yield runs;
      runs = [];
    }
  }
  for await (const list of lists)
    for (const run of list) {
      yield* endSeriesBefore(run.series);
      runs.push(run);
    }
  yield* endSeriesBefore(seriesCount);
}
