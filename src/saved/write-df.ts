import type { ServiceClient } from '../client/client.js';
import { streamLong } from '../frame/build/long.js';
import {
  type CsvOptions,
  type FrameFormat,
  fileFormatOf,
  type ParquetOptions,
} from '../frame/formats/frame-formats.js';
import { framePieces } from '../frame/formats/frame-pieces.js';
import type { FrameStream } from '../frame/table/frame-types.js';
import { badArgument } from '../model/errors.js';
import type { RetrievalReport } from '../model/report.js';
import { fetchInOrder, type StreamedFetch } from './fetch/fan-out.js';
import { type FrameClient, type GetDfOptions, lookUpContext, showsNames, unitNames } from './get-df.js';
import type { SavedSeries } from './saved-series.js';
import { resolveUnits } from './unit-choice.js';

/** Options that specify the points to write and the file's format. */
export interface WriteDfOptions
  extends Omit<GetDfOptions, 'index_by_series' | 'compress_format' | 'names' | 'async_mode'>,
    ParquetOptions,
    CsvOptions {
  /** The file format; by default, the path's extension determines it, as in `frame.write`. */
  file_format?: FrameFormat | undefined;
}

/** Writes a file piece by piece. @returns the number of bytes written */
export type WriteFile = (path: string, pieces: AsyncIterable<string | Uint8Array>) => Promise<number>;

/** A frame that was written to a file. */
export interface WrittenFrame {
  /** The file's path. */
  readonly path: string;
  /** The number of rows written. */
  readonly rows: number;
  /** The file's size in bytes. */
  readonly bytes: number;
  /** The outcome and the point count of each saved series. */
  readonly report: RetrievalReport;
}

export async function writeSavedFrame(
  client: FrameClient & Pick<ServiceClient, 'listUnits'>,
  saved: readonly SavedSeries[],
  { path, write, ...given }: WriteDfOptions & { path: string; write: WriteFile },
): Promise<WrittenFrame> {
  refuseOtherForms(given);
  const unit_id = await resolveUnits(client, given.unit_id, { series: saved, signal: given.signal });
  const options = { ...given, unit_id };
  const { compression, row_group_rows, safe, date_only, file_format: format = frameFormatOf(path) } = options;
  const fetched = fetchInOrder(client, saved, options);
  const stream = await frameStream(client, saved, { fetched, options });
  let rows = 0;
  async function* batches() {
    for await (const batch of stream.batches) {
      rows += batch.numRows;
      yield batch;
    }
  }
  const form = { compression, row_group_rows, safe, date_only };
  const bytes = await write(path, framePieces({ ...stream, batches: batches() }, format, form));
  return { path, bytes, rows, report: fetched.report() };
}

function refuseOtherForms(options: GetDfOptions): void {
  const form = (['compress_format', 'index_by_series'] as const).find((name) => options[name] === true);
  if (form === undefined) return;
  throw badArgument(
    form,
    'writeDf writes only long frames in saved order; for this form, use (await client.getDf()).write(path)',
  );
}

/**
 * Streams a frame. The provenance is written before the points, so the provenance lists every unit that the service
 * has. Only Parquet files contain the report, because Parquet metadata is written after the points.
 */
async function frameStream(
  client: FrameClient & Pick<ServiceClient, 'listUnits'>,
  saved: readonly SavedSeries[],
  { fetched, options }: { fetched: StreamedFetch; options: WriteDfOptions },
): Promise<FrameStream> {
  const { signal, onProgress: _, show_available_date, show_metadata, ...rest } = options;
  const { include_names = showsNames(saved), ...flags } = rest;
  const request = { series: saved, ...flags, include_names, show_available_date, show_metadata };
  const series = saved.map((one) => ({ ...one, unit_id: null }));
  const [{ names, provenance }, units] = await Promise.all([
    lookUpContext(
      client,
      { series, runs: [] },
      { request, report: [], signal, named: include_names === true },
    ),
    client.listUnits({ signal }),
  ]);
  return streamLong(fetched.sets(), {
    series,
    names: include_names === true ? { ...names, ...unitNames(units) } : undefined,
    show_available_date,
    show_metadata,
    provenance: { ...provenance, units },
    report: fetched.report,
  });
}

function frameFormatOf(path: string): FrameFormat {
  const format = fileFormatOf(path);
  if (format !== 'xlsx') return format;
  throw badArgument(
    'path',
    '.xlsx cannot be written as the points arrive; use (await client.getDf()).write(path), or write .parquet or .csv',
  );
}
