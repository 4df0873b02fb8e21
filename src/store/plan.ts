import type { SelectionLists } from '../model/selection.js';
import type { SeriesKey } from '../model/series.js';

/** Which vintages of a period to read: the latest, the latest of each reporting date, or all. */
export type PointHistory = 'latest' | 'reporting' | 'complete';

/** Which points to read, in terms that every engine can translate. Times are UTC milliseconds. */
export interface PointPlan {
  /** Distinct series by ascending `handle`. The points' `series` column holds positions in this list. */
  readonly series: readonly StoredSeries[];
  /** Selects points that end at or after this. */
  readonly startMs: number | null;
  /** Selects points that start at or before this. */
  readonly endMs: number | null;
  /** Which vintages of a period to read. */
  readonly history: PointHistory;
  /** As-of: vintages available after this time are ignored before any other rule applies. */
  readonly atMs: number | null;
  /** Of the selected vintages, only those available at or after this time are returned. */
  readonly sinceMs: number | null;
  /** Whether the points have their available date. */
  readonly withAvailableDate: boolean;
  /** Whether the points have the source's remarks. */
  readonly withMetadata: boolean;
}

/** A series as the store holds it. */
export interface StoredSeries extends SeriesKey {
  /** The store's number of the series. Handles follow the storage order. */
  readonly handle: number;
  /** The unit of its latest point. */
  readonly unit_id: number;
  /** Start of its earliest period, UTC milliseconds. */
  readonly startMs: number;
  /** End of its latest period, UTC milliseconds. */
  readonly endMs: number;
  /** The number of periods with a point. */
  readonly pointCount: number;
  /** The common facts of its points, where the store keeps them; a plan is read faster with them. */
  readonly common?: CommonPoints | undefined;
}

/** The common facts of all points of a series; without revisions, of the latest vintage of each period. */
export interface CommonPoints {
  /** The content of the store of which this is true; another one answers as if nothing were known. */
  readonly snapshot: object;
  /** Whether a date has a time of day. */
  readonly hasTimes: boolean;
  /** Days from the start to the end of every period; null when they differ. */
  readonly periodDays: number | null;
  /** Whether all have the unit of the series. */
  readonly hasOneUnit: boolean;
  /** Whether any has a reporting date. */
  readonly hasReportingDates: boolean;
  /** Whether any has remarks of the source. */
  readonly hasMetadata: boolean;
  /** When all became available, UTC milliseconds; null when that differs. */
  readonly availableMs: number | null;
  /** Whether a period has several vintages. */
  readonly isRevised: boolean;
}

/** Which series to list. */
export interface SeriesPlan {
  /** The ids that select the series. */
  readonly selection: SelectionLists;
  /** Whether series of historical regions are included. */
  readonly includeHistorical: boolean;
}

/** A distinct combination that has data. */
export type EntityCombination = Pick<SeriesKey, 'metric_id' | 'item_id' | 'region_id' | 'source_id'>;

/** How far to traverse containment: at most `distance` steps, or to the regions of `level`. Both null: everything. */
export interface TraversalPlan {
  /** Maximum number of steps. */
  readonly distance: number | null;
  /** The level of the regions. */
  readonly level: number | null;
  /** Whether historical regions are included. */
  readonly includeHistorical: boolean;
}

/** The latest values to sum. */
export type SumPlan = Pick<SeriesPlan, 'selection'> & Pick<PointPlan, 'startMs' | 'endMs'>;

/** The sum of a combination in one unit. */
export interface Sum extends Omit<SeriesKey, 'partner_region_id'> {
  /** Id of the unit of `value`. */
  readonly unit_id: number;
  /** Sum of the values. */
  readonly value: number;
}

/** Which values of some fields of series to count. */
export interface FacetPlan {
  /** The ids that select the series. Each field is counted as if the selection did not restrict it. */
  readonly selection: SelectionLists;
  /** The fields. */
  readonly fields: readonly (keyof SeriesKey)[];
  /** Maximum number of values of a field, not counting those of the selection; null returns all. */
  readonly limit: number | null;
}

/** The values of one field: by descending number of series, then by name, then by id. */
export interface FieldCounts {
  /** The ids. */
  readonly ids: Int32Array;
  /** Counts the series of each value. */
  readonly series: Int32Array;
  /** The number of values, including those that are not returned. */
  readonly values: number;
  /** The number of series of all values: those of the selection if it did not restrict the field. */
  readonly total: number;
}

/** The series of a selection, counted by their fields. */
export interface CountedSeries {
  /** The number of series of the selection. */
  readonly series: number;
  /** The counts of each wanted field. */
  readonly fields: ReadonlyMap<keyof SeriesKey, FieldCounts>;
}

/** The dates of which vintages to count. */
export interface VintagePlan extends Pick<PointPlan, 'series'> {
  /** Maximum number of dates of each kind; the latest are returned. */
  readonly limit: number;
}

/** A date and the vintages that have it. */
export interface VintageDate {
  /** UTC milliseconds. */
  readonly ms: number;
  /** The number of vintages. */
  readonly points: number;
}

/** Dates of one kind, ascending. */
export interface VintageDates {
  /** The latest dates. */
  readonly dates: readonly VintageDate[];
  /** The number of dates, including those that are not returned. */
  readonly total: number;
}

/** When the vintages of some series became available, and when their sources reported them. */
export interface CountedVintages {
  /** The number of vintages, also of those without a reporting date. */
  readonly points: number;
  /** The available dates. */
  readonly available: VintageDates;
  /** The reporting dates. */
  readonly reporting: VintageDates;
}

/** Returns the number of series of each value. */
export function countsById({ ids, series }: FieldCounts): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (let at = 0; at < ids.length; at++) counts.set(ids[at]!, series[at]!);
  return counts;
}
