import type { PackedPoints } from '../../columns/packed-points.js';
import { countPeriodsBetween, GapFiller } from '../../compute/gaps.js';
import { convertPoints, unitUses } from '../../compute/units.js';
import { MAX_FILLED_PERIODS } from '../../contract/endpoints.js';
import type { Frequency } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { formatTime } from '../../model/time.js';
import type { PointPlan, StoredSeries } from '../../store/plan.js';
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
  const filled = insertNull ? joinParts(fillGaps(stored, plan, await service.frequencies())) : stored;
  return unitId === null ? filled : convertLists(filled, { plan, unitId }, service);
}

async function* convertLists(
  lists: Lists,
  { plan, unitId }: { plan: PlannedPoints['plan']; unitId: number },
  service: ServiceContext,
): AsyncGenerator<readonly PackedPoints[]> {
  const units = await service.units();
  for await (const list of lists) {
    await checkConversions(unitUses({ series: plan.series, runs: list }), unitId, { units, service });
    yield list.map((run) => convertPoints(run, unitId, units));
  }
}

type Frequencies = ReadonlyMap<number, Frequency>;

/** @throws ArgumentError if a series has too many periods for its gaps to be filled */
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
    if (!(periods <= MAX_FILLED_PERIODS))
      throw tooManyPeriods(series, frequency, { startMs, endMs, periods });
  }
}

function tooManyPeriods(
  series: StoredSeries,
  { name }: Frequency,
  { startMs, endMs, periods }: Record<'startMs' | 'endMs' | 'periods', number>,
): ArgumentError {
  const days = (dates: Pick<StoredSeries, 'startMs' | 'endMs'>) =>
    [dates.startMs, dates.endMs].map((ms) => formatTime(ms).slice(0, 10)).join(' to ');
  const has = `insertNull: from ${days({ startMs, endMs })} a series with the frequency ${name} has ${periods} periods`;
  return new ArgumentError(
    'insertNull',
    `${has}, but at most ${MAX_FILLED_PERIODS} can be filled; choose a startDate and endDate that are closer together (its data are from ${days(series)}), or omit insertNull`,
  );
}

/** The minimum number of points in every list except the last. */
const MIN_LIST_POINTS = 8_192;

async function* joinParts(parts: AsyncIterable<PackedPoints>): AsyncGenerator<readonly PackedPoints[]> {
  let list: PackedPoints[] = [];
  let points = 0;
  for await (const part of parts) {
    list.push(part);
    points += part.length;
    if (points < MIN_LIST_POINTS) continue;
    yield list;
    [list, points] = [[], 0];
  }
  if (points > 0) yield list;
}

/** Fills the gaps in every series in the plan, including series without points. */
async function* fillGaps(
  lists: Lists,
  plan: PointPlan,
  frequencies: Frequencies,
): AsyncGenerator<PackedPoints> {
  let position = 0;
  let filler = fillerOf(plan, position, frequencies);
  async function* endSeriesBefore(next: number): AsyncGenerator<PackedPoints> {
    while (position < next) {
      await turns.next();
      if (filler !== null) yield* yieldInTurns(filler.end());
      filler = fillerOf(plan, ++position, frequencies);
    }
  }
  for await (const list of lists) {
    for (const part of list) {
      yield* endSeriesBefore(part.series);
      await turns.next();
      if (filler === null) yield part;
      else yield* yieldInTurns(filler.fill(part));
    }
  }
  yield* endSeriesBefore(plan.series.length);
}

async function* yieldInTurns(runs: Iterable<PackedPoints>): AsyncGenerator<PackedPoints> {
  for (const run of runs) {
    await turns.next();
    yield run;
  }
}

/** Returns the gap filler for a series, or null if the plan has no such series or its frequency is unknown. */
function fillerOf(plan: PointPlan, position: number, frequencies: Frequencies): GapFiller | null {
  const series = plan.series[position];
  const frequency = series && frequencies.get(series.frequency_id);
  if (frequency === undefined) return null;
  const { startMs, endMs, withAvailableDate, withMetadata } = plan;
  return new GapFiller({
    frequency,
    startMs,
    endMs,
    withAvailableDate,
    withMetadata,
    anchorMs: series!.startMs,
    series: position,
    unitId: series!.unit_id,
  });
}
