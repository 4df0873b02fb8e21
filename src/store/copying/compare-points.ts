import { createHash, type Hash } from 'node:crypto';
import { isValid } from '../../columns/bitmap.js';
import { unpackLists } from '../../columns/packed-points.js';
import type { PointColumns } from '../../columns/point-columns.js';
import { StoreError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
import type { PointPlan, SeriesPlan, StoredSeries } from '../plan.js';
import type { CopyReader } from './copy-reader.js';

/** The content of both stores. */
export interface ComparedStores {
  readonly series: number;
  /** The number of points, including revised ones. */
  readonly points: number;
}

/**
 * Reads every point of two stores, with all vintages, and compares them to the last bit.
 * @throws StoreError that names the first series with a difference
 */
export async function comparePoints(
  [from, to]: readonly [CopyReader, CopyReader],
  { total, signal, onProgress }: LongOperation & { total: number },
): Promise<ComparedStores> {
  const seriesOf = (store: CopyReader) => store.series(EVERY_SERIES, { signal })[Symbol.asyncIterator]();
  const [these, those] = [seriesOf(from), seriesOf(to)];
  let [series, points] = [0, 0];
  for (;;) {
    const [a, b] = await Promise.all([these.next(), those.next()]);
    const [left, right] = [a.done === true ? [] : a.value, b.done === true ? [] : b.value];
    requireSameSeries(left, right);
    if (left.length === 0) break;
    const [here, there] = await Promise.all([digest(from, left, signal), digest(to, right, signal)]);
    if (here.text !== there.text || here.rows !== there.rows) {
      throw new StoreError(
        `the copy differs in the points of the series ${left[0]!.handle} to ${left.at(-1)!.handle}: ` +
          `${here.rows} and ${there.rows}; nothing was put in place: copy again`,
      );
    }
    series += left.length;
    points += here.rows;
    onProgress?.({ label: 'comparing the stores', done: Math.min(points, total), total, unit: 'rows' });
  }
  return { series, points };
}

/** The plan of all series of a store, which both read in the same batches. */
export const EVERY_SERIES: SeriesPlan = { selection: {}, includeHistorical: true };

function requireSameSeries(left: readonly StoredSeries[], right: readonly StoredSeries[]): void {
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const [a, b] = [left[i], right[i]].map((one) => (one === undefined ? 'none' : describe(one)));
    if (a !== b) throw new StoreError(`the copy differs in a series: ${a} became ${b}; copy again`);
  }
}

function describe({ common: _, ...series }: StoredSeries): string {
  return JSON.stringify(series, Object.keys(series).sort());
}

/** Selects every vintage, with all that is known of it. */
export const EVERY_POINT: Omit<PointPlan, 'series'> = {
  startMs: null,
  endMs: null,
  history: 'complete',
  atMs: null,
  sinceMs: null,
  withAvailableDate: true,
  withMetadata: true,
};

/** A digest of all points of some series, which does not depend on how they are divided into lists. */
async function digest(
  reader: CopyReader,
  series: readonly StoredSeries[],
  signal: AbortSignal | undefined,
): Promise<{ text: string; rows: number }> {
  const hashes = Array.from({ length: 9 }, () => createHash('sha256'));
  let rows = 0;
  for await (const columns of unpackLists(reader.points({ ...EVERY_POINT, series }, { signal }))) {
    addColumns(hashes, columns);
    rows += columns.length;
  }
  return { text: hashes.map((hash) => hash.digest('hex')).join(), rows };
}

/** Memory of rows without a value or a reporting date is equal: NaN and 0. */
function addColumns(hashes: readonly Hash[], columns: PointColumns): void {
  const { length, reporting_valid, metadata } = columns;
  const parts = [
    columns.series,
    columns.start_date,
    columns.end_date,
    columns.value,
    columns.unit_id,
    columns.reporting_date,
    columns.available_date!,
    Uint8Array.from({ length }, (_, row) => Number(isValid(reporting_valid, row))),
  ];
  for (const [i, { buffer, byteOffset, byteLength }] of parts.entries())
    hashes[i]!.update(new Uint8Array(buffer, byteOffset, byteLength));
  for (let row = 0; row < length; row++) {
    const text = metadata?.[row] ?? null;
    hashes[8]!.update(text === null ? '0' : `1${text.length}:${text}`);
  }
}
