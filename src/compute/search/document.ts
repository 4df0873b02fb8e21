/** What search needs to know of an entity. */
export interface SearchDocument {
  readonly id: number;
  readonly name: string;
  /** Other names under which it should be found. */
  readonly aliases: readonly string[];
  /** Points of the series that carry it. */
  readonly pointCount: number;
  /** Regions only. */
  readonly level: number | null;
  readonly historical: boolean;
}
