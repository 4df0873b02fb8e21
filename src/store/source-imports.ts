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
      importedMs: row === undefined ? null : Number(row.imported),
    };
  });
}
