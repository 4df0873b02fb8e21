/**
 * Sums numbers with compensation for rounding (Neumaier 1974): values may be subtracted again, and their order does not
 * matter to the precision of doubles.
 */
export class RunningSum {
  // The sum and what rounding has lost, in an array: fields would be allocated anew for each term.
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
