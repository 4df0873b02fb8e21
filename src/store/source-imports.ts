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

type Row = Record<string, unknown>;

/** Joins the sources that have series, with their numbers of series and points, to how they were imported. */
export function joinSourceImports(sources: readonly Row[], recorded: readonly Row[]): SourceImports[] {
  const bySource = new Map(recorded.map((row) => [Number(row.source_id), row]));
  return sources.map((source) => {
    const row = bySource.get(Number(source.source_id));
    return {
      sourceId: Number(source.source_id),
      series: Number(source.series),
      points: Number(source.points),
      dataset: row === undefined ? null : String(row.dataset),
      vocabulary: Number(row?.vocabulary ?? 0),
      importedMs: row === undefined ? null : Number(row.imported),
    };
  });
}
