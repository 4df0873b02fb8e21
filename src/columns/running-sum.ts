/** Sums numbers with compensation for rounding errors (Neumaier 1974), so that terms can be subtracted again. */
export class RunningSum {
  // The sum and its rounding error are in an array, because fields would be allocated anew for each term.
  readonly #state = new Float64Array(2);

  add(term: number): void {
    const sum = this.#state[0]!;
    const next = sum + term;
    const lost = Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    // Infinity minus infinity would make the sum NaN.
    if (Number.isFinite(next)) this.#state[1]! += lost;
    this.#state[0] = next;
  }

  clear(): void {
    this.#state.fill(0);
  }

  get value(): number {
    return this.#state[0]! + this.#state[1]!;
  }
}
