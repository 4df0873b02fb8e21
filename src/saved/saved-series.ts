import type { MatchedArguments } from '../model/entity.js';
import { badArgument, shownValue } from '../model/errors.js';
import { type DataSeries, SERIES_KEY_FIELDS } from '../model/series.js';

/** A series that can be saved: its key is required, names and dates are kept. */
export type SavableSeries = Omit<DataSeries, 'start_date' | 'end_date' | 'partner_region_id'> & {
  /** Id of the partner region; the world by default. */
  partner_region_id?: number | undefined;
  /** Restricts the points that are fetched to this period. */
  start_date?: string | undefined;
  /** `YYYY-MM-DD` or ISO 8601; only points up to this date are retrieved. */
  end_date?: string | undefined;
  /** The names that replaced those of the request; the report of a frame repeats them. */
  matched?: MatchedArguments | undefined;
};

/** A series in the saved list. */
export type SavedSeries = SavableSeries & {
  /** Id of the partner region; 0 is the world. */
  partner_region_id: number;
};

/** The saved list of one client, in the order of saving. */
export class SavedSeriesList {
  readonly #saved: SavedSeries[] = [];

  /** @throws ArgumentError that names the id that is missing, or is not one id */
  add(series: SavableSeries): void {
    const withPartner = { ...series, partner_region_id: series.partner_region_id ?? 0 };
    const missing = SERIES_KEY_FIELDS.find((field) => !Number.isSafeInteger(withPartner[field]));
    if (missing !== undefined) {
      const given: unknown = withPartner[missing];
      const what =
        given === undefined || given === null ? 'is missing' : `is ${shownValue(given)}, not one id`;
      throw badArgument(missing, `${what}; pass a series from getDataSeries or findDataSeries`);
    }
    this.#saved.push(withPartner);
  }

  clear(): void {
    this.#saved.length = 0;
  }

  /** A copy of the list. */
  list(): SavedSeries[] {
    return this.#saved.map((series) => ({ ...series }));
  }
}
