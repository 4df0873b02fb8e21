import { TextTable } from './text-table.js';

/** Long work that pauses at each `yield`, so that other work can have its turn. */
export type Work<Result> = Generator<void, Result, void>;

/** Does all of it at once. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** @param pause awaited at each pause of the work */
export async function finishInTurns<Result>(work: Work<Result>, pause: () => Promise<void>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await pause();
  }
}

/** Texts sorted, merged or placed between two pauses. */
const TEXTS_A_PIECE = 5_000;

/** Collects which entries have which texts. Entries are numbers from 0, added in ascending order. */
export class PostingsBuilder {
  readonly #numbers = new Map<string, number>();
  /** The last entry that had a text, by the number of the text; an entry counts a text once. */
  readonly #last: number[] = [];
  readonly #pairTexts: number[] = [];
  readonly #pairEntries: number[] = [];

  add(entry: number, texts: Iterable<string>): void {
    for (const text of texts) {
      const number = this.#numbers.get(text) ?? this.#last.length;
      if (number === this.#last.length) this.#numbers.set(text, number);
      else if (this.#last[number] === entry) continue;
      this.#last[number] = entry;
      this.#pairTexts.push(number);
      this.#pairEntries.push(entry);
    }
  }

  *build(): Work<Postings> {
    const texts = yield* sortTexts([...this.#numbers.keys()]);
    const positions = new Uint32Array(texts.length);
    for (const [place, text] of texts.entries()) {
      if (place % TEXTS_A_PIECE === 0) yield;
      positions[this.#numbers.get(text)!] = place;
    }
    const starts = new Uint32Array(texts.length + 1);
    for (const number of this.#pairTexts) starts[positions[number]! + 1]!++;
    for (let i = 0; i < texts.length; i++) starts[i + 1]! += starts[i]!;
    yield;
    const entries = yield* this.#entriesBy(positions, starts.slice());
    yield;
    return new Postings(TextTable.of(texts), starts, entries);
  }

  /** @param next where the entries of each text begin; changed */
  *#entriesBy(positions: Uint32Array, next: Uint32Array): Work<Uint32Array> {
    const entries = new Uint32Array(this.#pairEntries.length);
    for (const [i, number] of this.#pairTexts.entries()) {
      if (i % TEXTS_A_PIECE === 0) yield;
      const place = positions[number]!;
      entries[next[place]!] = this.#pairEntries[i]!;
      next[place]!++;
    }
    return entries;
  }
}

/** Texts, and for each the entries that have it: the words of names, or whole names. */
export class Postings {
  /** Sorted, so that texts with a common prefix are neighbours. */
  readonly texts: TextTable;
  /** Position of the first entry of each text. */
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;

  constructor(texts: TextTable, starts: Uint32Array, entries: Uint32Array) {
    this.texts = texts;
    this.starts = starts;
    this.entries = entries;
  }

  has(text: string): boolean {
    return this.texts.find(text) >= 0;
  }

  /** Entries that have exactly this text. */
  findText(text: string): number[] {
    const at = this.texts.find(text);
    return at < 0 ? [] : [...this.entries.subarray(this.starts[at], this.starts[at + 1])];
  }

  /** The entries with a text of this prefix that are first in the order, at most `max`. */
  findPrefix(text: string, max: number, order: Uint32Array): number[] {
    return this.find([{ words: [], prefixes: [text] }], { min: 1, max, order });
  }

  /** The entries that meet at least `min` of the demands and are first in the order, at most `max`. */
  find(
    demands: readonly Demand[],
    { min, max, order }: { min: number; max: number; order: Uint32Array },
  ): number[] {
    const ranges = demands.map((demand) => this.#rangesOf(demand));
    if (ranges.filter(({ length }) => length > 0).length < min) return [];
    const met = new Uint8Array(order.length);
    const lastMet = new Uint8Array(order.length);
    for (const [at, ofDemand] of ranges.entries())
      for (const [from, to] of ofDemand)
        for (let i = this.starts[from]!; i < this.starts[to]!; i++) {
          const entry = this.entries[i]!;
          if (lastMet[entry] === at + 1) continue;
          lastMet[entry] = at + 1;
          met[entry]!++;
        }
    const found: number[] = [];
    for (let i = 0; i < order.length && found.length < max; i++) {
      const entry = order[i]!;
      if (met[entry]! >= min) found.push(entry);
    }
    return found;
  }

  /** The positions of the texts that meet a demand. */
  #rangesOf({ words, prefixes }: Demand): (readonly [from: number, to: number])[] {
    const found = words.map((word) => this.texts.find(word)).filter((at) => at >= 0);
    const begun = prefixes.map((prefix) => this.texts.prefixRange(prefix)).filter(([from, to]) => from < to);
    return [...found.map((at) => [at, at + 1] as const), ...begun];
  }
}

/** Met by an entry that has one of the words, or a word with one of the prefixes. */
export interface Demand {
  readonly words: readonly string[];
  readonly prefixes: readonly string[];
}

/** Sorts distinct texts by their code units, as `sort` does, and pauses regularly. */
function* sortTexts(texts: readonly string[]): Work<string[]> {
  let runs: string[][] = [];
  for (let at = 0; at < texts.length; at += TEXTS_A_PIECE) {
    yield;
    runs.push(texts.slice(at, at + TEXTS_A_PIECE).sort());
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at]!, runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(left: readonly string[], right: readonly string[]): Work<string[]> {
  const merged: string[] = [];
  for (let [i, j] = [0, 0]; i < left.length || j < right.length; ) {
    if (merged.length % TEXTS_A_PIECE === 0) yield;
    const takesLeft = j === right.length || (i < left.length && left[i]! < right[j]!);
    merged.push(takesLeft ? left[i++]! : right[j++]!);
  }
  return merged;
}
