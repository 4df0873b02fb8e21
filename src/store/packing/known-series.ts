import type { CommonPoints, PointPlan, StoredSeries } from '../plan.js';

/** A series of which it is known what its points have in common. */
export type KnownSeries = StoredSeries & { readonly common: CommonPoints };

/** The columns that a query reads besides series, start and value: those that are not the same for every series. */
export interface VaryingColumns {
  readonly days: boolean;
  readonly unit_id: boolean;
  readonly reporting_date: boolean;
  readonly available_date: boolean;
}

/** Whether a plan's points are the latest ones, which have one row a period. */
export function readsLatest({ history, atMs }: PointPlan): boolean {
  return history === 'latest' && atMs === null;
}

/**
 * Whether some series of a plan can be read by days, without remarks and what else their points have in common.
 * @param snapshot the content of the store; null when it is not known
 */
export function areKnown(
  plan: PointPlan,
  series: readonly StoredSeries[],
  snapshot: object | null,
): series is readonly KnownSeries[] {
  if (snapshot === null || !readsLatest(plan)) return false;
  const isRead = ({ hasTimes, hasMetadata }: CommonPoints) =>
    !hasTimes && !(plan.withMetadata && hasMetadata);
  return series.every(({ common }) => common?.snapshot === snapshot && isRead(common));
}

export function varyingColumns(plan: PointPlan, series: readonly KnownSeries[]): VaryingColumns {
  const varies = (test: (common: CommonPoints) => boolean) => series.some(({ common }) => test(common));
  return {
    days: varies(({ periodDays }) => periodDays === null),
    unit_id: varies(({ hasOneUnit }) => !hasOneUnit),
    reporting_date: varies(({ hasReportingDates }) => hasReportingDates),
    available_date: plan.withAvailableDate && varies(({ availableMs }) => availableMs === null),
  };
}

/** The names of the columns that vary, in the order in which they are read. */
export function columnNames(columns: VaryingColumns): (keyof VaryingColumns)[] {
  return (Object.keys(columns) as (keyof VaryingColumns)[]).filter((name) => columns[name]);
}
