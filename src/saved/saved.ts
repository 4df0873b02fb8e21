import type { Table } from 'apache-arrow';
import type { ServiceClient } from '../client/client.js';
import { type Explained, FIND, type FindOptions } from '../client/discovery/find-series.js';
import type { ExplainedSeries, FoundSeries } from '../client/discovery/resolution.js';
import type { DanfoFrame } from '../frame/formats/danfo.js';
import { CSV_KEYS, FRAME_FORMATS, PARQUET_KEYS } from '../frame/formats/frame-formats.js';
import { inNode } from '../frame/formats/in-node.js';
import type { LongFrame, WideFrame } from '../frame/frame.js';
import { ArgumentError, badArgument, shownValue } from '../model/errors.js';
import { explainReplacement } from '../model/names/meaning.js';
import type { OptionKeys } from '../model/schema/check.js';
import {
  type ArgumentsOf,
  mandatory,
  optional,
  positional,
  promise,
  value,
} from '../model/schema/operation.js';
import { ANYTHING, oneOf, TEXT } from '../model/schema/schemas.js';
import { SELECTION_KEYS } from '../model/selection.js';
import { SERIES_KEY_FIELDS } from '../model/series.js';
import { FRAME_OPTIONS, type GetDfOptions, getSavedFrame } from './get-df.js';
import { REFRESH_OPTIONS, type RefreshOptions, refreshSavedFrame } from './refresh-df.js';
import type { SavableSeries, SavedSeries } from './saved-series.js';
import { type WriteDfOptions, type WriteFile, type WrittenFrame, writeSavedFrame } from './write-df.js';

/** Options for retrieving points into an Arrow table. */
export interface ArrowDfOptions extends GetDfOptions {
  /** The kind of table to return; defaults to `'arrow'`. `'danfo'` returns a Danfo DataFrame. */
  format?: 'arrow' | undefined;
}

/** Options for retrieving points into a long frame. */
export interface LongDfOptions extends ArrowDfOptions {
  /** If false (default), returns a long frame. */
  compress_format?: false | undefined;
}

/** Options for retrieving points into a wide frame. */
export interface WideDfOptions extends ArrowDfOptions {
  /** Returns a wide frame: `end_date`, then one column per series. */
  compress_format: true;
}

/** Options for retrieving points into a Danfo DataFrame. */
export interface DanfoDfOptions extends GetDfOptions {
  /** Returns a Danfo DataFrame. */
  format: 'danfo';
}

/** Manages the list of saved series, and retrieves their points as frames. */
export interface SavedOperations {
  /**
   * Appends a series, such as one from `getDataSeries` or `findDataSeries`, to the saved list. If the series has dates,
   * they limit the points that are retrieved. No id can be a list; save each series separately instead.
   * @throws ArgumentError if a required id is missing, or is a list
   */
  addSingleDataSeries(data_series: SavableSeries): void;

  /** Saves the same series as without `explain`, and returns it with the coverage that determined the choice. */
  addDataSeries(options: Explained<FindOptions>): Promise<ExplainedSeries | null>;
  /**
   * Saves and returns the first series that `findDataSeries` finds. If no series is found, or if the entity with
   * exactly the requested name has no series, returns null and calls `onNothing` with the reason. It never falls back
   * to a weaker match. The dates in the options limit the points that are retrieved, but the series' own dates do not.
   * @example
   * ```ts
   * const series = await client.addDataSeries({ metric: 'yield', item: 'corn', region: 'iowa' });
   * ```
   */
  addDataSeries(options: FindOptions): Promise<FoundSeries | null>;

  /** Returns a copy of the saved list, in the order of saving. Each series has the dates that it was found with. */
  getDataSeriesList(): SavedSeries[];

  /**
   * Empties the saved list. Call this method before you build another frame with the same client, and at the beginning
   * of a notebook cell that saves series. Frames that were already retrieved are not affected.
   */
  clearDataSeriesList(): void;

  /**
   * Returns the points of every saved series as a Danfo DataFrame. Requires the `danfojs-node` package.
   * @throws ArgumentError if this package is not installed; otherwise, the same errors as for an Arrow table
   */
  getDf(options: DanfoDfOptions): Promise<DanfoFrame>;
  /**
   * Retrieves the points of every saved series into one long frame: one row per point, in saved order and then by
   * `start_date`, without duplicates.
   * @throws ArgumentError if options cannot be combined; PartialDataError if some series failed and `allow_partial` is
   * not set; UnitError if a unit cannot be converted
   * @example
   * ```ts
   * const long = await client.getDf({ include_names: true });
   * const wide = await client.getDf({ compress_format: true });
   * ```
   */
  getDf(options?: LongDfOptions): Promise<LongFrame>;
  /**
   * Retrieves the points of every saved series into one wide frame: `end_date` in ascending order, then one column per
   * series, in saved order.
   * @throws ArgumentError if a history is requested; otherwise, the same errors as for a long frame
   */
  getDf(options: WideDfOptions): Promise<WideFrame>;
  /** Retrieves the points of every saved series into a frame, which is wide if `compress_format` is true. */
  getDf(options: ArrowDfOptions): Promise<LongFrame | WideFrame>;

  /**
   * Updates a long or wide frame from `getDf` by repeating the retrieval that its provenance describes. Returns a new
   * frame, and leaves the given one unchanged.
   * @throws ArgumentError if the table is not a frame of saved series; PartialDataError if some series failed
   */
  refreshDf<Frame extends Table>(table: Frame, options?: RefreshOptions): Promise<Frame>;

  /**
   * Writes a long frame of every saved series to a file as the points arrive, so the frame can be larger than memory.
   * The path's extension determines the format, as in `frame.write`. If the operation fails or is aborted, no file is
   * left.
   * @throws ArgumentError if the path has an unknown extension; PartialDataError if some series failed
   */
  writeDf(path: string, options?: WriteDfOptions): Promise<WrittenFrame>;
}

const GET_DF: OptionKeys<ArrowDfOptions | DanfoDfOptions> = {
  ...FRAME_OPTIONS,
  format: oneOf(['arrow', 'danfo']),
};

const { async_mode: __, names: ___, ...ofLongFrames } = FRAME_OPTIONS;
// The schema includes options that `writeDf` does not support, so that it can reject them with its own message.
const WRITE_DF: OptionKeys<WriteDfOptions> = {
  ...ofLongFrames,
  ...PARQUET_KEYS,
  ...CSV_KEYS,
  file_format: oneOf(FRAME_FORMATS),
};

savedOperations.takes = {
  addSingleDataSeries: value(mandatory(SELECTION_KEYS)),
  addDataSeries: promise(mandatory(FIND)),
  getDataSeriesList: value(),
  clearDataSeriesList: value(),
  getDf: promise(optional(GET_DF)),
  refreshDf: promise(positional('table', ANYTHING), optional(REFRESH_OPTIONS)),
  writeDf: promise(positional('path', TEXT), optional(WRITE_DF)),
} satisfies ArgumentsOf<SavedOperations>;

export interface FrameRuntime {
  /** Writes a file; omitted if the platform has no file system. */
  readonly writeFile?: WriteFile | undefined;
}

export function savedOperations(client: ServiceClient, { writeFile }: FrameRuntime): SavedOperations {
  const saved = new SavedSeriesList();

  async function addDataSeries({ explain = false, ...options }: FindOptions): Promise<FoundSeries | null> {
    for await (const { coverage, ...series } of client.findDataSeries({ ...options, explain: true })) {
      const reason = explainReplacement(series);
      if (reason !== undefined) {
        options.onNothing?.(`${reason}, or compute the region's figure with computeFromParts`);
        return null;
      }
      // The series' own dates are those of its points. They do not limit the retrieval, because later imports may add
      // points outside these dates.
      saved.add(series, { start_date: options.start_date, end_date: options.end_date });
      return explain ? ({ ...series, coverage } as FoundSeries) : series;
    }
    return null;
  }

  async function getDf({
    format = 'arrow',
    ...options
  }: ArrowDfOptions | DanfoDfOptions = {}): Promise<LongFrame | WideFrame | DanfoFrame> {
    if (format === 'danfo') inNode('format', NO_DANFO);
    const table = await getSavedFrame(client, saved.wanted(), options);
    return format === 'danfo' ? table.toDanfo() : table;
  }

  async function writeDf(path: string, options: WriteDfOptions = {}): Promise<WrittenFrame> {
    if (writeFile === undefined) throw new ArgumentError('path', NO_FILES);
    return writeSavedFrame(client, saved.wanted(), { ...options, path, write: writeFile });
  }

  return {
    addSingleDataSeries: (data_series) => saved.add(data_series),
    addDataSeries: addDataSeries as SavedOperations['addDataSeries'],
    getDataSeriesList: () => saved.list(),
    clearDataSeriesList: () => saved.clear(),
    getDf: getDf as SavedOperations['getDf'],
    refreshDf: (table, options = {}) => refreshSavedFrame(client, table, options),
    writeDf,
  };
}

const NO_FILES =
  'path: a browser cannot write files; call toCsv, toArrow or toParquet on the frame from getDf, and offer the result as a download';

const NO_DANFO =
  'danfo is loaded only in Node; in a browser, pass your own module: (await client.getDf()).toDanfo({ danfo })';

interface SavedEntry {
  readonly series: SavedSeries;
  readonly dates: Pick<SavedSeries, 'start_date' | 'end_date'>;
}

class SavedSeriesList {
  readonly #saved: SavedEntry[] = [];

  /** @param dates the dates that limit the retrieval; defaults to the series' own dates */
  add(given: SavableSeries, dates: SavedEntry['dates'] = given): void {
    const series = { ...given, partner_region_id: given.partner_region_id ?? 0 };
    const missing = SERIES_KEY_FIELDS.find((field) => !Number.isSafeInteger(series[field]));
    if (missing !== undefined) {
      const id: unknown = series[missing];
      const what = id === undefined || id === null ? 'is missing' : `is ${shownValue(id)}, not one id`;
      throw badArgument(missing, `${what}; pass a series from getDataSeries or findDataSeries`);
    }
    const { start_date, end_date } = dates;
    this.#saved.push({ series, dates: { start_date, end_date } });
  }

  clear(): void {
    this.#saved.length = 0;
  }

  list(): SavedSeries[] {
    return this.#saved.map(({ series }) => ({ ...series }));
  }

  /** Returns copies of the saved series, with the dates that limit the retrieval. */
  wanted(): SavedSeries[] {
    return this.#saved.map(({ series, dates }) => ({ ...series, ...dates }));
  }
}
