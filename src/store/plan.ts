import type { SelectionLists } from '../model/selection.js';
import type { SeriesKey } from '../model/series.js';

/** Which vintages of a period to read: only the latest, the latest for each reporting date, or all of them. */
export type PointHistory = 'latest' | 'reporting' | 'complete';

/** Which points to read, independently of the engine. Times are in UTC milliseconds. */
export interface PointPlan {
  /** Distinct series, sorted by `handle`. The values in the points' `series` column are indexes into this list. */
  readonly series: readonly StoredSeries[];
  /** Selects points that end at or after this time; null for no limit. */
  readonly startMs: number | null;
  /** Selects points that start at or before this time; null for no limit. */
  readonly endMs: number | null;
  /** Which vintages of a period to read. */
  readonly history: PointHistory;
  /** The as-of time. Vintages that became available later are ignored before other rules apply; null for no limit. */
  readonly atMs: number | null;
  /** Drops selected vintages that became available before this time; null for no limit. */
  readonly sinceMs: number | null;
  /** Whether points include their available date. */
  readonly withAvailableDate: boolean;
  /** Whether points include the source's remarks. */
  readonly withMetadata: boolean;
}

/** A series in a store. */
export interface StoredSeries extends SeriesKey {
  /** The series' number in the store. Numbers follow the storage order. */
  readonly handle: number;
  /** The unit of the latest point. */
  readonly unit_id: number;
  /** The start of the earliest period, in UTC milliseconds. */
  readonly startMs: number;
  /** The end of the latest period, in UTC milliseconds. */
  readonly endMs: number;
  /** The number of periods with a point. */
  readonly pointCount: number;
  /** Facts about the series' points, if known. They make reading the points faster. */
  readonly common?: CommonPoints | undefined;
}

/** Facts about all points of a series. Only the latest vintage of each period is considered. */
export interface CommonPoints {
  /** Identifies the store content that the other fields describe. Those fields are ignored once the content changes. */
  readonly snapshot: object;
  /** Whether any date has a time of day. */
  readonly hasTimes: boolean;
  /** The length of each period in days, from start to end; null if the periods differ in length. */
  readonly periodDays: number | null;
  /** Whether all points have the unit of the series. */
  readonly hasOneUnit: boolean;
  /** Whether any point has a reporting date. */
  readonly hasReportingDates: boolean;
  /** Whether any point has remarks from the source. */
  readonly hasMetadata: boolean;
  /** When all points became available, in UTC milliseconds; null if they became available at different times. */
  readonly availableMs: number | null;
  /** Whether any period may have more than one vintage. */
  readonly isRevised: boolean;
}

/** Which series to list. */
export interface SeriesPlan {
  /** The ids that select the series. */
  readonly selection: SelectionLists;
}

/** A combination of ids that has data. */
export type EntityCombination = Pick<SeriesKey, 'metric_id' | 'item_id' | 'region_id' | 'source_id'>;

/** How far to follow containment, and which of the reached entities to return. */
export interface TraversalPlan {
  /** The maximum number of steps along the hierarchy; null for no limit. */
  readonly distance: number | null;
  /** The level of the regions to return; null for all levels. It is ignored if `distance` is set. */
  readonly level: number | null;
  /** Whether historical regions are included. */
  readonly includeHistorical: boolean;
}

/** Which values to sum. Only the latest vintages are summed. */
export type SumPlan = Pick<SeriesPlan, 'selection'> & Pick<PointPlan, 'startMs' | 'endMs'>;

/** The sum, in one unit, of the values for a combination of ids. */
export interface Sum extends Omit<SeriesKey, 'partner_region_id'> {
  /** The id of the unit of `value`. */
  readonly unit_id: number;
  /** The sum of the values. */
  readonly value: number;
}

/** Which series to count, and by which fields. */
export interface FacetPlan {
  /** The ids that select the series. Each field is counted as if the selection did not restrict that field. */
  readonly selection: SelectionLists;
  /** The fields by which to count series. */
  readonly fields: readonly (keyof SeriesKey)[];
  /** The maximum number of values to return per field, not counting those in the selection; null for no limit. */
  readonly limit: number | null;
}

/** The values of one field and their counts, sorted by series count (descending), then by name, then by id. */
export interface FieldCounts {
  /** The number of series with each id, keyed by id. */
  readonly series: ReadonlyMap<number, number>;
  /** The number of distinct values, including those that are not returned. */
  readonly values: number;
  /** The number of series that have any value in this field, including values that are not returned. */
  readonly total: number;
}

/** The number of selected series, and how many series have each value of each field. */
export interface CountedSeries {
  /** The number of selected series. */
  readonly series: number;
  /** The counts for each requested field. */
  readonly fields: ReadonlyMap<keyof SeriesKey, FieldCounts>;
}

/** The series whose vintages are counted by date. */
export interface VintagePlan extends Pick<PointPlan, 'series'> {
  /** The maximum number of available dates, and of reporting dates, to return. The latest dates are returned. */
  readonly limit: number;
}

/** A date and the number of vintages that have it. */
export interface VintageDate {
  /** The date, in UTC milliseconds. */
  readonly ms: number;
  /** The number of vintages with this date. */
  readonly points: number;
}

/** The dates on which vintages became available, or were reported, in ascending order. */
export interface VintageDates {
  /** The most recent dates, at most `limit` of them. */
  readonly dates: readonly VintageDate[];
  /** The number of dates, including those that are not returned. */
  readonly total: number;
}

/** The available dates and reporting dates of the vintages of some series. */
export interface CountedVintages {
  /** The number of vintages, including those without a reporting date. */
  readonly points: number;
  /** The available dates. */
  readonly available: VintageDates;
  /** The reporting dates. */
  readonly reporting: VintageDates;
}
