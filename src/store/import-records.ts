/** A record of which sources were imported from which data set, and when. */
export interface ImportedSources {
  /** The data set's name. */
  readonly dataset: string;
  /** The ids of the sources whose points were imported. */
  readonly sourceIds: readonly number[];
  /** When the sources were imported, in UTC milliseconds. */
  readonly importedMs: number;
}

/** How many series and points a source has in a store, and the source's last import. */
export interface SourceImports {
  /** The source's id. */
  readonly sourceId: number;
  /** The number of the source's series. */
  readonly series: number;
  /** The number of points in these series. A period with more than one vintage counts once. */
  readonly points: number;
  /** The data set from which the source was last imported; null if no import recorded it. */
  readonly dataset: string | null;
  /** When the source was last imported, in UTC milliseconds; null if no import recorded the time. */
  readonly importedMs: number | null;
}

/** A file that was downloaded for an import. Updates use these fields to detect a newer version on the server. */
export interface FetchedFile {
  /** The file's address, without user name and password. */
  readonly address: string;
  /** The ETag of the response; null if the server sent none. */
  readonly etag: string | null;
  /** The `Last-Modified` header of the response; null if the server sent none. */
  readonly lastModified: string | null;
  /** The length of the file in bytes. */
  readonly bytes: number;
  /** The file's SHA-256 hash in hexadecimal. */
  readonly sha256: string;
}

/** A record of an imported download, used to detect updates. A store has one record per data set and request. */
export interface StoredFetch {
  /** The data set's name. */
  readonly dataset: string;
  /** The requested part of the data set: a code such as `QCL`, or the files' addresses. */
  readonly request: string;
  /** The import's settings, as JSON. */
  readonly settings: string;
  /** The imported files. */
  readonly files: readonly FetchedFile[];
  /** When the files were downloaded, in UTC milliseconds. */
  readonly fetchedMs: number;
}
