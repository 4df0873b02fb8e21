import type { MatchedArguments } from '../model/entity.js';
import type { DataSeries } from '../model/series.js';

/** A series that can be saved. The ids are required. The names and dates are optional, and are kept if present. */
export type SavableSeries = Omit<DataSeries, 'start_date' | 'end_date' | 'partner_region_id'> & {
  /** The partner region's id; defaults to 0, the world. */
  partner_region_id?: number | undefined;
  /** The date from which points are retrieved, as `YYYY-MM-DD` or ISO 8601. */
  start_date?: string | undefined;
  /** The date up to which points are retrieved, as `YYYY-MM-DD` or ISO 8601. */
  end_date?: string | undefined;
  /** The entities that the requested names were matched to. They also appear in a frame's report. */
  matched?: MatchedArguments | undefined;
};

/** A series in the saved list. */
export type SavedSeries = SavableSeries & {
  /** The partner region's id; 0 is the world. */
  partner_region_id: number;
};
