/** The versions of an importer's words under which a source was imported. */
export interface ImportedSources {
  /** The data set. */
  readonly dataset: string;
  /** Ids of the sources of its points. */
  readonly sourceIds: readonly number[];
  /** Version of the vocabulary, 1 or more. */
  readonly vocabulary: number;
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
  /** The data set that it was last imported from; null before that was recorded. */
  readonly dataset: string | null;
  /** The oldest version of the vocabulary among its imports; 0 before that was recorded. */
  readonly vocabulary: number;
  /** When it was last imported, UTC milliseconds; null before that was recorded. */
  readonly importedMs: number | null;
}
