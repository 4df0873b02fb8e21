/** Display names by id, one map an entity type; an id without an entry is shown as its number. */
export interface EntityNames {
  metrics: ReadonlyMap<number, string>;
  items: ReadonlyMap<number, string>;
  regions: ReadonlyMap<number, string>;
  frequencies: ReadonlyMap<number, string>;
  sources: ReadonlyMap<number, string>;
  /** Abbreviations. */
  units: ReadonlyMap<number, string>;
}
