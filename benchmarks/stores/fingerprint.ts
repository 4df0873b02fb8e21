import { DAY_MS } from '../../src/model/time.js';
import { FIRST_DAY } from './synthetic-weather.js';

/**
 * Sums in whole numbers that differ when a value, a date, a series or what belongs together differs. The order of rows
 * does not matter.
 */
export interface Fingerprint {
  readonly points: number;
  /** Sum of the values, in tenths. */
  readonly tenths: number;
  /** Sum of the end dates, in days since the first. */
  readonly days: number;
  /** Sum of tenths × day: values at other dates differ. */
  readonly dated: number;
  /** Sum of tenths × position of the series: values of other series differ. */
  readonly placed: number;
}

/** Takes the fingerprint of points that are given one after another. */
export class Fingerprinter {
  #points = 0;
  #tenths = 0;
  #days = 0;
  #dated = 0;
  #placed = 0;

  /** @param position of the series among those that are wanted */
  add(position: number, endMs: number, value: number): void {
    const tenths = Math.round(value * 10);
    const day = (endMs - FIRST_DAY) / DAY_MS;
    this.#points++;
    this.#tenths += tenths;
    this.#days += day;
    this.#dated += tenths * day;
    this.#placed += tenths * (position + 1);
  }

  get fingerprint(): Fingerprint {
    const [points, tenths, days] = [this.#points, this.#tenths, this.#days];
    return { points, tenths, days, dated: this.#dated, placed: this.#placed };
  }
}
