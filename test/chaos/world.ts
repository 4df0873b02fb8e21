import { DAY_MS } from '../../src/model/time.js';
import { pick, seededRandom } from '../journeys/seeded-random.js';

/** Days that a series can have. */
export const DAYS = 730;
const FIRST_DAY = Date.UTC(2020, 0, 1);
const FIRST_IMPORT_DAYS = 300;

const STATES = ['Iowa', 'Ohio', 'Illinois', 'Indiana', 'Kansas', 'Nebraska', 'Texas', 'Oregon'];
const CROPS = ['Corn', 'Wheat', 'Soybeans'];

/** The series of the world: a crop in a state each. */
export const SERIES = STATES.flatMap((state) => CROPS.map((crop) => ({ state, crop })));

/** The document of the files of the world. */
export const DOCUMENT = {
  source: { name: 'Chaos' },
  region: { column: 'state', level: 'province' },
  item: { column: 'crop' },
  metric: { name: 'Yield' },
  unit: { name: 't/ha' },
  start_date: { column: 'day', format: 'YYYY-MM-DD' },
  values: 'value',
};

/** Values by day; NaN where there is none. */
export type Values = Float64Array;

interface Change {
  readonly series: number;
  readonly from: number;
  readonly values: Values;
}

/** A part of a series that was read, and in which days it was asked for. */
export interface Observed {
  readonly series: number;
  readonly values: Values;
  readonly from: number;
  readonly to: number;
}

/** Imports, and what a store must hold after each of them. The same seed makes the same world. */
export class World {
  readonly #random: () => number;
  readonly #changes: Change[][] = [[]];
  /** After import 0, nothing; each state shares the series that its import leaves alone. */
  readonly #states: Values[][] = [SERIES.map(() => new Float64Array(DAYS).fill(Number.NaN))];

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** The values of every series after this import. */
  state(number: number): readonly Values[] {
    while (this.#states.length <= number) this.#addImport();
    return this.#states[number]!;
  }

  /** The text of the file of an import. */
  file(number: number): string {
    this.state(number);
    const lines = ['state,crop,day,value'];
    for (const { series, from, values } of this.#changes[number]!) {
      const { state, crop } = SERIES[series]!;
      for (const [i, value] of values.entries()) lines.push(`${state},${crop},${dayText(from + i)},${value}`);
    }
    return `${lines.join('\n')}\n`;
  }

  /** The series that an import changes. */
  changedBy(number: number): number[] {
    this.state(number);
    return this.#changes[number]!.map(({ series }) => series);
  }

  /** Every value that a series has had on a day until this import, in the order of imports. */
  history(series: number, day: number, until: number): number[] {
    const values: number[] = [];
    for (let number = 1; number <= until; number++) {
      const value = this.state(number)[series]![day]!;
      if (!Number.isNaN(value) && value !== values.at(-1)) values.push(value);
    }
    return values;
  }

  /** The imports from `first` to `last` after which a series has exactly these values on the days that were asked for. */
  matching({ series, values, from, to }: Observed, first: number, last: number): number[] {
    const matching: number[] = [];
    for (let number = first; number <= last; number++) {
      const known = this.state(number)[series]!;
      if (values.every((value, day) => Object.is(value, day < from || day > to ? Number.NaN : known[day])))
        matching.push(number);
    }
    return matching;
  }

  #addImport(): void {
    const isFirst = this.#states.length === 1;
    const changes = SERIES.flatMap((_, series) => {
      if (!isFirst && this.#random() < 0.5) return [];
      const from = isFirst ? 0 : Math.floor(this.#random() * (DAYS - 50));
      const days = isFirst ? FIRST_IMPORT_DAYS : Math.min(DAYS - from, pick(this.#random, [1, 50, 200, 400]));
      const values = Float64Array.from({ length: days }, () => Math.round(this.#random() * 1e5) / 1000);
      return [{ series, from, values }];
    });
    const state = [...this.#states.at(-1)!];
    for (const { series, from, values } of changes) {
      state[series] = state[series]!.slice();
      state[series].set(values, from);
    }
    this.#changes.push(changes);
    this.#states.push(state);
  }
}

export function dayText(day: number): string {
  return new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
}

/** @throws Error unless it is the start of one of the world's days */
export function dayOf(date: string): number {
  const day = (Date.parse(date) - FIRST_DAY) / DAY_MS;
  if (!(Number.isInteger(day) && day >= 0 && day < DAYS)) throw new Error(`${date} is no day of the world`);
  return day;
}
