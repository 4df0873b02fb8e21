import { PeriodList } from '../../compute/period-list.js';
import { joinRemarks, type SeriesPoints } from '../../frame/series/series-points.js';

/** How the values of regions become one value. */
export type RollUpHow = 'sum' | 'mean' | 'weighted';

/** The share of each member that a result needs. */
export interface RollUpRule {
  readonly how: RollUpHow;
  /** Minimum share of the members, or of their weight, that have a value. */
  readonly min_coverage: number;
}

/** A region that the target contains, with its points where the frame has it. */
export interface Member {
  /** Its weight; only its proportion to the others counts. 1 unless weighted. */
  readonly weight: number;
  /** Its points; null where the frame does not have it. */
  readonly points: Pick<SeriesPoints, 'start' | 'end' | 'value' | 'available' | 'remarks'> | null;
  /** For a region that sums up the rest of some members: its value holds all of these members that have none themselves. */
  readonly restOf?: readonly Member[] | undefined;
}

/** The points of a target, ascending by end. */
interface RolledUp extends Pick<SeriesPoints, 'start' | 'end' | 'value' | 'available' | 'remarks'> {
  /** Periods that are null because too few members have a value. */
  readonly below_coverage: number;
}

/**
 * One series from those of all regions that a target contains: in each period their sum, their mean, or their mean by weight,
 * of the members that have a value. A period is null when the members with a value are less than `min_coverage` of all
 * members, or of all weight; members that are not in the frame count as without a value, unless the rest of them has one.
 */
export function rollUpSeries(members: readonly Member[], { how, min_coverage }: RollUpRule): RolledUp {
  const periods = new PeriodList(emptyPeriod);
  const rests: Member[] = [];
  let total = 0;
  for (const member of members) {
    const { points } = member;
    total += member.weight;
    if (member.restOf !== undefined) rests.push(member);
    if (points === null) continue;
    points.end.forEach((end, i) => {
      const period = periods.find(points.start[i]!, end);
      addValue(period, points.value[i]!, { member, how });
      period.remarks.add(points.remarks?.[i] ?? null);
      if (points.available) period.available = laterOf(period.available, points.available[i]!);
    });
  }
  if (how === 'sum') completePeriods(periods, rests);
  const sorted = periods.sorted();
  const covered = sorted.map(({ weight }) => weight > 0 && weight / total >= min_coverage - ROUNDING);
  const hasRemarks = members.some(({ points }) => points?.remarks !== undefined);
  const hasAvailable = members.some(({ points }) => points?.available !== undefined);
  return {
    start: Float64Array.from(sorted, ({ start }) => start),
    end: Float64Array.from(sorted, ({ end }) => end),
    value: Float64Array.from(sorted, ({ sum, weight }, i) => {
      if (!covered[i]) return Number.NaN;
      return how === 'sum' ? sum : sum / weight;
    }),
    available: hasAvailable ? Float64Array.from(sorted, ({ available }) => available) : undefined,
    remarks: hasRemarks ? sorted.map(({ remarks }) => joinRemarks(remarks)) : undefined,
    below_coverage: covered.filter((isCovered) => !isCovered).length,
  };
}

/** A sum of weights may miss their total by this share. */
const ROUNDING = 1e-9;

interface Period {
  readonly start: number;
  readonly end: number;
  /** Of values, or of values by weight. */
  sum: number;
  /** Of the members with a value. */
  weight: number;
  readonly members: Set<Member>;
  available: number;
  readonly remarks: Set<string | null>;
}

function emptyPeriod(start: number, end: number): Period {
  return { start, end, sum: 0, weight: 0, members: new Set(), available: Number.NaN, remarks: new Set() };
}

function addValue(period: Period, value: number, { member, how }: { member: Member; how: RollUpHow }): void {
  if (Number.isNaN(value)) return;
  period.sum += how === 'sum' ? value : value * member.weight;
  period.weight += member.weight;
  period.members.add(member);
}

/** Counts members as covered in the periods in which the rest of them has a value and they have none. */
function completePeriods(periods: PeriodList<Period>, rests: readonly Member[]): void {
  for (const { points, restOf = [] } of rests) {
    points?.end.forEach((end, i) => {
      if (Number.isNaN(points.value[i]!)) return;
      const period = periods.find(points.start[i]!, end);
      for (const member of restOf) {
        if (!period.members.has(member)) period.weight += member.weight;
        period.members.add(member);
      }
    });
  }
}

function laterOf(a: number, b: number): number {
  return Number.isNaN(a) || b > a ? b : a;
}

/** A region's share of a weighted result. */
export interface RegionWeight {
  /** Id of the region. */
  id: number;
  /** Its weight; the weights need not add up to 1. */
  weight: number;
}
