/** The record of an import of some sources. */
export interface ImportedSources {
  /** Name of the data set. */
  readonly dataset: string;
  /** Ids of the sources of the imported points. */
  readonly sourceIds: readonly number[];
  /** When the sources were imported, UTC milliseconds. */
  readonly importedMs: number;
}

/** The series of a source in a store, and their last import. */
export interface SourceImports {
  /** Id of the source. */
  readonly sourceId: number;
  /** The number of series of the source. */
  readonly series: number;
  /** The number of points of these series. A period with several vintages counts once. */
  readonly points: number;
  /** The data set that the source was last imported from; null if no import recorded it. */
  readonly dataset: string | null;
  /** When the source was last imported, UTC milliseconds; null if no import recorded it. */
  readonly importedMs: number | null;
}

/** A file that was downloaded for an import. Its facts show whether the server has a newer version. */
export interface FetchedFile {
  /** The file's address, without user and password. */
  readonly address: string;
  /** ETag of the response; null if the server sent none. */
  readonly etag: string | null;
  /** `Last-Modified` of the response; null if the server sent none. */
  readonly lastModified: string | null;
  /** Length of the file in bytes. */
  readonly bytes: number;
  /** SHA-256 of the file in hexadecimal. */
  readonly sha256: string;
}

/** The record of an imported download, by which updates are found. A store has one for each data set and request. */
export interface StoredFetch {
  /** Name of the data set. */
  readonly dataset: string;
  /** The requested part of the data set: a code such as `QCL`, or the addresses of files. */
  readonly request: string;
  /** Settings of the import as JSON. */
  readonly settings: string;
  /** The files in the version that was imported. */
  readonly files: readonly FetchedFile[];
  /** When the files were downloaded, UTC milliseconds. */
  readonly fetchedMs: number;
}
