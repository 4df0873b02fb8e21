import type { EngineTables } from './queries/engine-tables.js';

/** An import of some sources. */
export interface ImportedSources {
  /** The data set. */
  readonly dataset: string;
  /** Ids of the sources of its points. */
  readonly sourceIds: readonly number[];
  /** When it was imported, UTC milliseconds. */
  readonly importedMs: number;
}

/** The series of a source in a store, and how they were imported. */
export interface SourceImports {
  /** Id of the source. */
  readonly sourceId: number;
  /** Number of its series. */
  readonly series: number;
  /** Number of their points; a period with several vintages is one. */
  readonly points: number;
  /** The data set that it was last imported from; null when no import recorded it. */
  readonly dataset: string | null;
  /** When it was last imported, UTC milliseconds; null when no import recorded it. */
  readonly importedMs: number | null;
}

/** A file that was downloaded for an import, so that a newer one can be told from it. */
export interface FetchedFile {
  /** Its address, without user and password. */
  readonly address: string;
  /** ETag of the server; null when it gave none. */
  readonly etag: string | null;
  /** `Last-Modified` of the server; null when it gave none. */
  readonly lastModified: string | null;
  /** Length of the file. */
  readonly bytes: number;
  /** SHA-256 of the file in hexadecimal. */
  readonly sha256: string;
}

/** What was fetched and imported, so that it can be updated. There is one of each data set and request. */
export interface StoredFetch {
  /** The data set. */
  readonly dataset: string;
  /** What of it was asked for: `QCL`, or the addresses of files. */
  readonly request: string;
  /** Settings of the import as JSON. */
  readonly settings: string;
  /** The files, in the version that was imported. */
  readonly files: readonly FetchedFile[];
  /** When they were fetched, UTC milliseconds. */
  readonly fetchedMs: number;
}

/** The sources that have series, by id, and how they were imported. */
export async function readSourceImports({ rows }: EngineTables): Promise<SourceImports[]> {
  const [sources, recorded] = await Promise.all([
    rows(
      (parts) => `SELECT source_id, count(*) AS own, sum(point_count) AS points
        FROM ${parts.from('series')} GROUP BY source_id ORDER BY source_id`,
    ),
    rows((parts) => `SELECT source_id, dataset, imported FROM ${parts.from('source_import')}`),
  ]);
  const bySource = new Map(recorded.map((row) => [Number(row.source_id), row]));
  return sources.map((source) => {
    const row = bySource.get(Number(source.source_id));
    return {
      sourceId: Number(source.source_id),
      series: Number(source.own),
      points: Number(source.points),
      dataset: row === undefined ? null : String(row.dataset),
      importedMs: row === undefined ? null : Number(row.imported),
    };
  });
}

/** What was fetched for the imports of a store, by data set and request. */
export async function readFetches({ rows }: EngineTables): Promise<StoredFetch[]> {
  const columns = 'dataset, request, settings, files, fetched_at';
  const read = await rows(
    (parts) => `SELECT ${columns} FROM ${parts.from('stored_fetch')} ORDER BY dataset, request`,
  );
  return read.map((row) => ({
    dataset: String(row.dataset),
    request: String(row.request),
    settings: String(row.settings),
    files: JSON.parse(String(row.files)) as FetchedFile[],
    fetchedMs: Number(row.fetched_at),
  }));
}
