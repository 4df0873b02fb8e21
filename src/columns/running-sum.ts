/** Sums numbers with Neumaier's compensation (1974), so that terms can be subtracted later with hardly any error. */
export class RunningSum {
  // The sum and its rounding error are stored in an array, because number fields would be allocated anew for each term.
  readonly #state = new Float64Array(2);

  add(term: number): void {
    const sum = this.#state[0]!;
    const next = sum + term;
    const lost = Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    // For an infinite sum, the rounding error would be NaN.
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
