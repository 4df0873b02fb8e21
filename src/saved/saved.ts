import type { Table } from 'apache-arrow';
import type { ServiceClient } from '../client/client.js';
import type { ExplainedSeries, FindOptions } from '../client/discovery/find-series.js';
import type { toDanfo } from '../frame/formats/danfo.js';
import type { LongFrame, WideFrame } from '../frame/table/frame-types.js';
import { ArgumentError } from '../model/errors.js';
import type { DataSeries } from '../model/series.js';
import { type GetDfOptions, getSavedFrame } from './get-df.js';
import { type RefreshOptions, refreshSavedFrame } from './refresh/refresh-df.js';
import { type SavableSeries, type SavedSeries, SavedSeriesList } from './saved-series.js';
import { type WriteDfOptions, type WrittenFrame, writeSavedFrame } from './write-df.js';

/** The saved list of a client and the frame that is made of it. */
export function savedOperations(client: ServiceClient) {
  const saved = new SavedSeriesList();

  /** Appends a series, as discovery gives it, to the saved list. @throws ArgumentError when an id of its key is missing */
  function addSingleDataSeries(data_series: SavableSeries): void {
    saved.add(data_series);
  }

  /**
   * Saves the top series that `findDataSeries` finds, and returns it; null when there is none. With `explain: true` it
   * carries the figures for which it was chosen.
   */
  function addDataSeries(options: FindOptions & { explain: true }): Promise<ExplainedSeries | null>;
  function addDataSeries(options: FindOptions & { explain?: false | undefined }): Promise<DataSeries | null>;
  async function addDataSeries({
    explain = false,
    ...options
  }: FindOptions & { explain?: boolean | undefined }): Promise<DataSeries | null> {
    for await (const { coverage, ...series } of client.findDataSeries({ ...options, explain: true })) {
      saved.add(series);
      return explain ? ({ ...series, coverage } as DataSeries) : series;
    }
    return null;
  }

  /** A copy of the saved list, in the order of saving. */
  function getDataSeriesList(): SavedSeries[] {
    return saved.list();
  }

  /**
   * The points of every saved series in one frame, freshly fetched: an Arrow table, or a Danfo DataFrame with
   * `format: 'danfo'`. Rows stand in saved order, then by start_date, and no point occurs twice.
   * @throws ArgumentError for options that exclude each other; PartialDataError when a series failed, unless
   * `allow_partial`; UnitError
   */
  function getDf(options: GetDfOptions & { format: 'danfo' }): ReturnType<typeof toDanfo>;
  function getDf(
    options: GetDfOptions & { compress_format: true; format?: 'arrow' | undefined },
  ): Promise<WideFrame>;
  function getDf(
    options?: GetDfOptions & { compress_format?: false | undefined; format?: 'arrow' | undefined },
  ): Promise<LongFrame>;
  function getDf(options?: GetDfOptions & { format?: 'arrow' | undefined }): Promise<LongFrame | WideFrame>;
  async function getDf({
    format = 'arrow',
    ...options
  }: GetDfOptions & { format?: 'arrow' | 'danfo' | undefined } = {}): Promise<unknown> {
    if (format !== 'arrow' && format !== 'danfo')
      throw new ArgumentError('format', `format: "${String(format)}" is none of arrow, danfo`);
    const table = await getSavedFrame(client, saved.list(), options);
    if (format === 'arrow') return table;
    const { toDanfo } = await import('../frame/formats/danfo.js');
    return toDanfo(table);
  }

  /**
   * A long frame of `getDf`, brought up to now: only what became available since it was retrieved is fetched. New
   * periods are added, revised ones replaced; the given frame is not changed.
   * @throws ArgumentError when the table is no long frame of saved series; PartialDataError when a series failed
   */
  function refreshDf(table: Table, options: RefreshOptions = {}): Promise<LongFrame> {
    return refreshSavedFrame(client, table, options);
  }

  /**
   * The long frame of every saved series, written to a Parquet or Arrow file as it arrives: it may be larger than the
   * memory. A failure or an abort leaves no file.
   * @throws ArgumentError when the path's ending is unknown; PartialDataError when a series failed
   */
  function writeDf(path: string, options: WriteDfOptions = {}): Promise<WrittenFrame> {
    return writeSavedFrame(client, saved.list(), { ...options, path });
  }

  return { addSingleDataSeries, addDataSeries, getDataSeriesList, getDf, refreshDf, writeDf };
}
