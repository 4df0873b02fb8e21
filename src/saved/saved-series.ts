import type { MatchedArguments } from '../model/entity.js';
import type { DataSeries } from '../model/series.js';

/** A series that can be saved. Its key is required, and names and dates are kept. */
export type SavableSeries = Omit<DataSeries, 'start_date' | 'end_date' | 'partner_region_id'> & {
  /** Id of the partner region; the world by default. */
  partner_region_id?: number | undefined;
  /** `YYYY-MM-DD` or ISO 8601. Only points from this date on are retrieved. */
  start_date?: string | undefined;
  /** `YYYY-MM-DD` or ISO 8601. Only points up to this date are retrieved. */
  end_date?: string | undefined;
  /** The entities used for names of the request. The report of a frame repeats them. */
  matched?: MatchedArguments | undefined;
};

/** A series in the saved list. */
export type SavedSeries = SavableSeries & {
  /** Id of the partner region; 0 is the world. */
  partner_region_id: number;
};
