import { ArgumentError } from '../model/errors.js';
import { type DataSeries, SERIES_KEY_FIELDS } from '../model/series.js';

/** A series as it may be saved: its key is needed, names and dates come along. */
export type SavableSeries = Omit<DataSeries, 'start_date' | 'end_date' | 'partner_region_id'> & {
  /** Id of the partner region; the world by default. */
  partner_region_id?: number | undefined;
  /** Where given, only points of this period are fetched. */
  start_date?: string | undefined;
  /** `YYYY-MM-DD` or ISO 8601; only points up to this date are retrieved. */
  end_date?: string | undefined;
};

/** A series in the saved list. */
export type SavedSeries = SavableSeries & {
  /** Id of the partner region; 0 is the world. */
  partner_region_id: number;
};

/** The saved list of one client: series in the order in which they were added. */
export class SavedSeriesList {
  readonly #saved: SavedSeries[] = [];

  /** @throws ArgumentError that names the id that is missing */
  add(series: SavableSeries): void {
    const withPartner = { ...series, partner_region_id: series.partner_region_id ?? 0 };
    const missing = SERIES_KEY_FIELDS.find((field) => !Number.isSafeInteger(withPartner[field]));
    if (missing !== undefined) {
      throw new ArgumentError(
        missing,
        `${missing}: a series needs it to be saved; pass one that getDataSeries or findDataSeries gave`,
      );
    }
    this.#saved.push(withPartner);
  }

  /** A copy: changing it changes nothing here. */
  list(): SavedSeries[] {
    return this.#saved.map((series) => ({ ...series }));
  }
}
