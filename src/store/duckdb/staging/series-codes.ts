import { SERIES_KEY_FIELDS, type SeriesKey } from '../../../model/series.js';
import { LAYOUT } from '../../schema/tables.js';
import type { RowAnswer } from '../../store.js';
import { mapInTurns } from '../../turns.js';

/**
 * Numbers a text file's series in layout order. A series' number is a sum, to which each dimension contributes the
 * digits of its fields: each field is a digit whose base is the number of ids in that field.
 */
export class SeriesCodes {
  /** The sum of the digits that are the same in all rows. */
  readonly base: number;
  readonly type: 'INTEGER' | 'BIGINT';
  readonly #ids: ReadonlyMap<keyof SeriesKey, readonly number[]>;
  readonly #weights = new Map<keyof SeriesKey, number>();
  readonly #ranks = new Map<keyof SeriesKey, Map<number, number>>();

  private constructor(constants: RowAnswer, ids: ReadonlyMap<keyof SeriesKey, readonly number[]>) {
    this.#ids = ids;
    let weight = 1;
    for (const field of [...LAYOUT].reverse()) {
      const sorted = ids.get(field)!;
      this.#ranks.set(field, new Map(sorted.map((id, rank) => [id, rank])));
      this.#weights.set(field, weight);
      weight *= Math.max(1, sorted.length);
    }
    if (weight > Number.MAX_SAFE_INTEGER) throw new RangeError('a file has too many series to number');
    this.type = weight < 2 ** 31 ? 'INTEGER' : 'BIGINT';
    this.base = this.codeOf(constants);
  }

  static async of(
    constants: RowAnswer,
    dimensions: readonly { readonly answers: readonly RowAnswer[] }[],
  ): Promise<SeriesCodes> {
    const ids = new Map(LAYOUT.map((field) => [field, new Set<number>()] as const));
    const note = (answer: RowAnswer) => {
      for (const [field, ofField] of ids) if (answer[field] !== undefined) ofField.add(answer[field]);
    };
    note(constants);
    for (const { answers } of dimensions) await mapInTurns(answers, note);
    const sorted = [...ids].map(([field, found]) => [field, [...found].sort((a, b) => a - b)] as const);
    return new SeriesCodes(constants, new Map(sorted));
  }

  codeOf(answer: RowAnswer): number {
    let code = 0;
    for (const field of LAYOUT) {
      const id = answer[field];
      if (id !== undefined) code += this.#ranks.get(field)!.get(id)! * this.#weights.get(field)!;
    }
    return code;
  }

  keyOf(code: number): SeriesKey {
    const idOf = (field: keyof SeriesKey) => {
      const ids = this.#ids.get(field)!;
      return ids[Math.floor(code / this.#weights.get(field)!) % ids.length]!;
    };
    return Object.fromEntries(SERIES_KEY_FIELDS.map((field) => [field, idOf(field)])) as unknown as SeriesKey;
  }
}
