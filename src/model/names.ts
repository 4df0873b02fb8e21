/** Display names by id, one map an entity type; an id without an entry is shown as its number. */
export interface EntityNames {
  /** Names of metrics by id. */
  metrics: ReadonlyMap<number, string>;
  /** Names of items by id. */
  items: ReadonlyMap<number, string>;
  /** Names of regions by id, also of partner regions. */
  regions: ReadonlyMap<number, string>;
  /** Names of frequencies by id. */
  frequencies: ReadonlyMap<number, string>;
  /** Names of sources by id. */
  sources: ReadonlyMap<number, string>;
  /** Abbreviations. */
  units: ReadonlyMap<number, string>;
}
