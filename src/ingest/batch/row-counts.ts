/** Counts the rows (or values) that are read, and those that are not read on purpose, until `take`. */
export class RowCounts {
  #read = 0;
  /** Whether any row was ever counted: an importer need not count. */
  #isUsed = false;
  #notRead = new Map<string, number>();
  /** Kinds skipped since the mark. */
  #skipped: string[] = [];

  /** Counts rows, whatever becomes of them. */
  add(count: number): void {
    this.#read += count;
    this.#isUsed = true;
  }

  /** Counts one of the present row as not read, until `revert`. */
  skip(kind: string): void {
    this.#skipped.push(kind);
    this.addNotRead(kind, 1);
  }

  /** Counts rows that `add` has counted as not read. */
  addNotRead(kind: string, count: number): void {
    this.#notRead.set(kind, (this.#notRead.get(kind) ?? 0) + count);
  }

  mark(): void {
    if (this.#skipped.length > 0) this.#skipped = [];
  }

  /** Forgets what was skipped since the mark. */
  revert(): void {
    for (const kind of this.#skipped) this.addNotRead(kind, -1);
    this.#skipped = [];
  }

  take(): { read: number | undefined; notRead: ReadonlyMap<string, number> } {
    const counts = { read: this.#isUsed ? this.#read : undefined, notRead: this.#notRead };
    this.#read = 0;
    this.#notRead = new Map();
    this.#skipped = [];
    return counts;
  }
}
