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

/** The record of a fetch that was imported, for updates. There is one of each data set and request. */
export interface StoredFetch {
  /** The data set. */
  readonly dataset: string;
  /** The requested part: `QCL`, or the addresses of files. */
  readonly request: string;
  /** Settings of the import as JSON. */
  readonly settings: string;
  /** The files, in the version that was imported. */
  readonly files: readonly FetchedFile[];
  /** When they were fetched, UTC milliseconds. */
  readonly fetchedMs: number;
}
