import type { SelectionLists } from '../model/selection.js';
import type { SeriesKey } from '../model/series.js';

/** Which vintages of a period are wanted: the latest, each reporting date's latest, or all. */
export type PointHistory = 'latest' | 'reporting' | 'complete';

/** What to read from the points, free of any engine's language. Times are UTC milliseconds. */
export interface PointPlan {
  /** The series wanted, each once, by ascending `handle`; the points' `series` column counts from here. */
  readonly series: readonly StoredSeries[];
  /** Keep points whose end is at or after this. */
  readonly startMs: number | null;
  /** Keep points whose start is at or before this. */
  readonly endMs: number | null;
  readonly history: PointHistory;
  /** As-of: only vintages available at or before this time exist. */
  readonly atMs: number | null;
  /** Only vintages that became available at or after this time are returned. */
  readonly sinceMs: number | null;
  readonly withAvailableDate: boolean;
  readonly withMetadata: boolean;
}

/** A series as the store holds it. */
export interface StoredSeries extends SeriesKey {
  /** The store's own short number of the series; orders series as the store lays them out. */
  readonly handle: number;
  /** The unit of its latest point. */
  readonly unit_id: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Periods with a point: what the latest-revision retrieval gives. */
  readonly pointCount: number;
}

/** Which series to list. */
export interface SeriesPlan {
  readonly selection: SelectionLists;
  readonly includeHistorical: boolean;
}

/** A distinct combination that has data. */
export type EntityCombination = Pick<SeriesKey, 'metric_id' | 'item_id' | 'region_id' | 'source_id'>;

/** How far to walk containment: at most `distance` steps, or to the regions of `level`; neither means all. */
export interface TraversalPlan {
  readonly distance: number | null;
  readonly level: number | null;
  readonly includeHistorical: boolean;
}

/** Sums of latest values by item or region, greatest first. */
export interface TopPlan {
  readonly by: 'item_id' | 'region_id';
  readonly selection: SelectionLists;
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly limit: number;
}

/** One combination of a ranking. */
export interface TopRow extends Omit<SeriesKey, 'partner_region_id'> {
  readonly unit_id: number;
  readonly value: number;
}
