import type { ServiceClient } from '../client/client.js';
import { type FrameStream, streamLong } from '../frame/build/long-stream.js';
import { type FrameFormat, frameFormatOf } from '../frame/formats/frame-formats.js';
import type { ParquetOptions } from '../frame/formats/parquet.js';
import { writeWhole } from '../frame/formats/write-file.js';
import { streamPieces } from '../frame/formats/write-frame.js';
import { ArgumentError } from '../model/errors.js';
import type { RetrievalReport } from '../model/report.js';
import { fetchInOrder, type StreamedFetch } from './fetch/streamed-fetch.js';
import { frameContext } from './frame-names.js';
import type { FrameClient, GetDfOptions } from './get-df.js';
import type { SavedSeries } from './saved-series.js';

/** What is written, and how. */
export interface WriteDfOptions
  extends Omit<GetDfOptions, 'index_by_series' | 'compress_format' | 'async_mode'>,
    ParquetOptions {
  /** By default that of the path's ending, see `writeFrame`. */
  file_format?: FrameFormat | undefined;
}

/** A frame that was written to a file. */
export interface WrittenFrame {
  /** The file. */
  readonly path: string;
  /** Number of rows. */
  readonly rows: number;
  /** Size of the file. */
  readonly bytes: number;
  /** What became of each saved series. */
  readonly report: RetrievalReport;
}

/**
 * Writes the points of every saved series to a file as they arrive, so that a frame may be larger than the memory. The
 * file appears when it is whole; until then it is a `.part` beside it, which a failure or an abort removes.
 * @throws ArgumentError for an unknown ending, or another form than the long one; PartialDataError when a series failed; the errors of the disk
 */
export async function writeSavedFrame(
  client: FrameClient & Pick<ServiceClient, 'listUnits'>,
  saved: readonly SavedSeries[],
  { path, ...options }: WriteDfOptions & { path: string },
): Promise<WrittenFrame> {
  refuseOtherForms(options);
  const format = options.file_format ?? frameFormatOf(path);
  const fetched = fetchInOrder(client, saved, options);
  const stream = await frameStream(client, saved, { fetched, options });
  const bytes = await writeWhole(path, streamPieces(stream, format, options));
  return { path, bytes, rows: fetched.rows(), report: fetched.report() };
}

/** Types forbid it; a program without types would find a long frame in its file. @throws ArgumentError */
function refuseOtherForms(options: GetDfOptions): void {
  const form = (['compress_format', 'index_by_series'] as const).find((name) => options[name] === true);
  if (form === undefined) return;
  throw new ArgumentError(
    form,
    `${form}: a frame is written as it arrives, long and in saved order; getDf gives this form, and toParquet its file`,
  );
}

/**
 * The schema stands before the figures: it names every unit that may come, and has no report but in a Parquet file, whose
 * metadata stands after them.
 */
async function frameStream(
  client: FrameClient & Pick<ServiceClient, 'listUnits'>,
  saved: readonly SavedSeries[],
  { fetched, options }: { fetched: StreamedFetch; options: WriteDfOptions },
): Promise<FrameStream> {
  const { signal, onProgress: _, include_names, show_available_date, show_metadata, ...flags } = options;
  const asked = { series: saved, ...flags, include_names, show_available_date, show_metadata };
  const series = saved.map((one) => ({ ...one, unit_id: null }));
  const [{ names, provenance }, units] = await Promise.all([
    frameContext(client, { series, batches: [] }, { asked, report: [], signal }),
    client.listUnits({ signal }),
  ]);
  const unitNames = new Map(units.map(({ id, abbreviation }) => [id, abbreviation]));
  return streamLong(fetched.sets(), {
    series,
    names: include_names === true ? { ...names, units: unitNames } : undefined,
    show_available_date,
    show_metadata,
    provenance: { ...provenance, units },
    report: fetched.report,
  });
}
