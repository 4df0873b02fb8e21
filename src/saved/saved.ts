import type { Table } from 'apache-arrow';
import * as v from 'valibot';
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
import { FIELDS, LONG_OPERATION, POINT_FLAGS } from '../model/schema/fields.js';
import {
  type ArgumentsOf,
  mandatory,
  optional,
  positional,
  promise,
  value,
} from '../model/schema/operation.js';
import { ANYTHING, ID, oneOf, TEXT } from '../model/schema/schemas.js';
import { SELECTION_KEYS } from '../model/schema/selection-keys.js';
import { SERIES_KEY_FIELDS } from '../model/series.js';
import { type GetDfOptions, getSavedFrame } from './get-df.js';
import { type RefreshOptions, refreshSavedFrame } from './refresh-df.js';
import type { SavableSeries, SavedSeries } from './saved-series.js';
import { type WriteDfOptions, type WriteFile, type WrittenFrame, writeSavedFrame } from './write-df.js';

/** Options for retrieving points into an Arrow table. */
export interface ArrowDfOptions extends GetDfOptions {
  /** `'arrow'` by default; `'danfo'` returns a Danfo DataFrame. */
  format?: 'arrow' | undefined;
}

/** Options for retrieving points into a long frame. */
export interface LongDfOptions extends ArrowDfOptions {
  /** If true, returns a wide frame: one column per series, `end_date` first. */
  compress_format?: false | undefined;
}

/** Options for retrieving points into a wide frame. */
export interface WideDfOptions extends ArrowDfOptions {
  /** Returns a wide frame: one column per series, `end_date` first. */
  compress_format: true;
}

/** Options for retrieving points into a Danfo DataFrame. */
export interface DanfoDfOptions extends GetDfOptions {
  /** Returns a Danfo DataFrame. */
  format: 'danfo';
}

/** The saved list of series, and the frames of their points. */
export interface SavedOperations {
  /**
   * Appends a series, such as `getDataSeries` or `findDataSeries` returns, to the saved list. The dates of the series,
   * if any, restrict the points that are retrieved. A series has one id per field. If a field has a list of ids, save
   * each one separately.
   * @throws ArgumentError if an id of its key is missing, or is a list
   */
  addSingleDataSeries(data_series: SavableSeries): void;

  /** Saves a series as without `explain`, and returns it with the coverage by which it was chosen. */
  addDataSeries(options: Explained<FindOptions>): Promise<ExplainedSeries | null>;
  /**
   * Saves the first series that `findDataSeries` finds, and returns it. Returns null if it finds none, or if the entity
   * with exactly the requested name has none, because a weaker match does not replace it. `onNothing` is then called
   * with the reason. Dates of the options limit the points that are retrieved, but the series' own dates do not.
   * @example
   * ```ts
   * const series = await client.addDataSeries({ metric: 'yield', item: 'corn', region: 'iowa' });
   * ```
   */
  addDataSeries(options: FindOptions): Promise<FoundSeries | null>;

  /** A copy of the saved list, in the order of saving. Each series is as it was found, with its dates. */
  getDataSeriesList(): SavedSeries[];

  /**
   * Empties the saved list. Call it before building another frame with the same client, and at the beginning of a
   * notebook cell that saves series. Frames that were already retrieved are unchanged.
   */
  clearDataSeriesList(): void;

  /**
   * The points of every saved series as a Danfo DataFrame. Needs the package `danfojs-node`.
   * @throws ArgumentError if it is not installed; otherwise as for the Arrow form
   */
  getDf(options: DanfoDfOptions): Promise<DanfoFrame>;
  /**
   * The points of every saved series in one long frame, freshly retrieved: one row a point, in saved order, then by
   * start_date; no point occurs twice.
   * @throws ArgumentError if options exclude each other; PartialDataError if some series failed, unless
   * `allow_partial`; UnitError if a unit is not convertible
   * @example
   * ```ts
   * const long = await client.getDf({ include_names: true });
   * const wide = await client.getDf({ compress_format: true });
   * ```
   */
  getDf(options?: LongDfOptions): Promise<LongFrame>;
  /**
   * The points of every saved series in one wide frame: end_date ascending, then one column a series, in saved order.
   * @throws ArgumentError if a history is requested; otherwise as for the long form
   */
  getDf(options: WideDfOptions): Promise<WideFrame>;
  /** The points of every saved series in a long or a wide frame, as `compress_format` says. */
  getDf(options: ArrowDfOptions): Promise<LongFrame | WideFrame>;

  /**
   * Updates a frame of `getDf`, long or wide: retrieves its series again, as its provenance describes. The given frame
   * is not changed.
   * @throws ArgumentError if the table is not a frame of saved series; PartialDataError if some series failed
   */
  refreshDf<Frame extends Table>(table: Frame, options?: RefreshOptions): Promise<Frame>;

  /**
   * Writes the long frame of every saved series to a file as it arrives, so that it may be larger than memory; the
   * ending of the path decides the format, as with `frame.write`. A failure or an abort leaves no file.
   * @throws ArgumentError if the path has an unknown extension; PartialDataError if some series failed
   */
  writeDf(path: string, options?: WriteDfOptions): Promise<WrittenFrame>;
}

// `insert_null` is left out, because a frame has no rows for periods without data.
const { insert_null: ____, ...FRAME_FLAGS } = POINT_FLAGS;

const UNIT = v.union([ID, TEXT]);

const GET_DF: OptionKeys<ArrowDfOptions | DanfoDfOptions> = {
  ...LONG_OPERATION,
  ...FRAME_FLAGS,
  index_by_series: v.boolean(),
  include_names: FIELDS.include_names,
  compress_format: v.boolean(),
  names: oneOf(['full', 'short']),
  async_mode: v.boolean(),
  unit_id: v.nullable(v.union([UNIT, v.array(UNIT)])),
  allow_partial: FIELDS.allow_partial,
  format: oneOf(['arrow', 'danfo']),
};

const { format: _, async_mode: __, names: ___, ...ofLongFrames } = GET_DF;
// `writeDf` also accepts options that it does not support, to reject them with its own message.
const WRITE_DF: OptionKeys<WriteDfOptions> = {
  ...ofLongFrames,
  ...PARQUET_KEYS,
  ...CSV_KEYS,
  file_format: oneOf(FRAME_FORMATS),
};

const REFRESH: OptionKeys<RefreshOptions> = {
  ...LONG_OPERATION,
  later_periods: v.boolean(),
  allow_partial: FIELDS.allow_partial,
};

savedOperations.takes = {
  addSingleDataSeries: value(mandatory(SELECTION_KEYS)),
  addDataSeries: promise(mandatory(FIND)),
  getDataSeriesList: value(),
  clearDataSeriesList: value(),
  getDf: promise(optional(GET_DF)),
  refreshDf: promise(positional('table', ANYTHING), optional(REFRESH)),
  writeDf: promise(positional('path', TEXT), optional(WRITE_DF)),
} satisfies ArgumentsOf<SavedOperations>;

export interface FrameRuntime {
  /** Writes a file; absent if the platform has no files. */
  readonly writeFile?: WriteFile | undefined;
}

export function savedOperations(client: ServiceClient, { writeFile }: FrameRuntime): SavedOperations {
  const saved = new SavedSeriesList();

  async function addDataSeries({ explain = false, ...options }: FindOptions): Promise<FoundSeries | null> {
    for await (const { coverage, ...series } of client.findDataSeries({ ...options, explain: true })) {
      const reason = explainReplacement(series);
      if (reason !== undefined) {
        options.onNothing?.(`${reason}, or compute the figure of a region with computeFromParts`);
        return null;
      }
      // The dates of a found series are those of its points, which later imports may extend, so they do not limit the
      // points.
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
  'path: a browser does not write files; make the bytes with toCsv, toArrow or toParquet of the frame of getDf, and offer them as a download';

const NO_DANFO =
  'danfo is loaded in Node only; in a browser, give your module: (await client.getDf()).toDanfo({ danfo })';

interface SavedEntry {
  readonly series: SavedSeries;
  readonly dates: Pick<SavedSeries, 'start_date' | 'end_date'>;
}

class SavedSeriesList {
  readonly #saved: SavedEntry[] = [];

  /** @param dates limit the points; by default the dates of the series */
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

  /** Returns copies of the series with the dates that limit their points. */
  wanted(): SavedSeries[] {
    return this.#saved.map(({ series, dates }) => ({ ...series, ...dates }));
  }
}
