import { epochAt, epochWords } from '../../../columns/epoch-words.js';

/** Marks a series that does not ascend: no start is later. */
const UNORDERED = Number.POSITIVE_INFINITY;

/**
 * Finds the series of an import whose points do not come with ever later starts. In all others no period is repeated, so
 * that nothing need be compared.
 */
export class AscendingSeries {
  /** The latest start of each series, in UTC milliseconds, by its number. */
  readonly #latest: number[] = [];

  /** @param numbers the number of each row's series */
  add(numbers: Int32Array, starts: BigInt64Array): void {
    const words = epochWords(starts);
    for (let row = 0; row < numbers.length; row++) {
      const number = numbers[row]!;
      const start = epochAt(words, row);
      const latest = this.#latest[number];
      this.#latest[number] = latest === undefined || start > latest ? start : UNORDERED;
    }
  }

  /** Numbers of the series with points that may repeat a period, in ascending order. */
  unordered(): number[] {
    const numbers: number[] = [];
    for (const [number, latest] of this.#latest.entries()) if (latest === UNORDERED) numbers.push(number);
    return numbers;
  }
}
