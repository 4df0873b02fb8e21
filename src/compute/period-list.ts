/** Collects distinct periods. `find` first tries the period after its last result, because regions share periods. */
export class PeriodList<Period extends { readonly start: number; readonly end: number }> {
  readonly #begin: (start: number, end: number) => Period;
  readonly #found: Period[] = [];
  readonly #positions = new Map<string, number>();
  #next = 0;

  constructor(begin: (start: number, end: number) => Period) {
    this.#begin = begin;
  }

  find(start: number, end: number): Period {
    const guess = this.#found[this.#next];
    const at = guess?.start === start && guess.end === end ? this.#next : this.#lookUp(start, end);
    this.#next = at + 1;
    return this.#found[at]!;
  }

  /** Returns all periods, sorted by end and then by start. */
  sorted(): Period[] {
    return this.#found.sort((a, b) => a.end - b.end || a.start - b.start);
  }

  #lookUp(start: number, end: number): number {
    const key = `${start}/${end}`;
    const at = this.#positions.get(key) ?? this.#found.length;
    if (at === this.#found.length) {
      this.#positions.set(key, at);
      this.#found.push(this.#begin(start, end));
    }
    return at;
  }
}
