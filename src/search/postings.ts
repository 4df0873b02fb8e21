/** Gathers which entries have which texts. Entries are numbers from 0 and come in ascending order. */
export class PostingsBuilder {
  readonly #numbers = new Map<string, number>();
  /** The entry that had a text last, by the text's number; it is counted once. */
  readonly #last: number[] = [];
  readonly #pairTexts: number[] = [];
  readonly #pairEntries: number[] = [];
  #entries = 0;

  add(entry: number, texts: Iterable<string>): void {
    for (const text of texts) {
      const number = this.#numbers.get(text) ?? this.#last.length;
      if (number === this.#last.length) this.#numbers.set(text, number);
      else if (this.#last[number] === entry) continue;
      this.#last[number] = entry;
      this.#pairTexts.push(number);
      this.#pairEntries.push(entry);
    }
    this.#entries = entry + 1;
  }

  build(): Postings {
    const texts = [...this.#numbers.keys()].sort();
    const places = new Uint32Array(texts.length);
    for (const [place, text] of texts.entries()) places[this.#numbers.get(text)!] = place;
    const starts = new Uint32Array(texts.length + 1);
    for (const number of this.#pairTexts) starts[places[number]! + 1]!++;
    for (let i = 0; i < texts.length; i++) starts[i + 1]! += starts[i]!;
    const free = starts.slice();
    const entries = new Uint32Array(this.#pairEntries.length);
    for (const [i, number] of this.#pairTexts.entries()) {
      const place = places[number]!;
      entries[free[place]!] = this.#pairEntries[i]!;
      free[place]!++;
    }
    return new Postings(this.#entries, texts, starts, entries);
  }
}

/** Texts, and for each the entries that have it: the words of names, or whole names. */
export class Postings {
  readonly #count: number;
  readonly #starts: Uint32Array;
  readonly #entries: Uint32Array;

  constructor(
    count: number,
    /** Ascending, so that texts with one beginning stand together. */
    readonly texts: readonly string[],
    /** Where the entries of each text begin. */
    starts: Uint32Array,
    entries: Uint32Array,
  ) {
    this.#count = count;
    this.#starts = starts;
    this.#entries = entries;
  }

  has(text: string): boolean {
    return this.texts[firstAtOrAfter(this.texts, text)] === text;
  }

  /** Entries that have exactly this text. */
  having(text: string): number[] {
    const at = firstAtOrAfter(this.texts, text);
    return this.texts[at] === text ? [...this.#entries.subarray(this.#starts[at], this.#starts[at + 1])] : [];
  }

  /** The first `max` entries that have a text with this beginning. */
  beginningWith(text: string, max: number): number[] {
    return this.find([{ words: [], beginnings: [text] }], 1, max);
  }

  /** The first `max` entries that have at least `min` of the demands. */
  find(demands: readonly Demand[], min: number, max: number): number[] {
    const met = new Uint8Array(this.#count);
    const lastMet = new Uint8Array(this.#count);
    for (const [at, { words, beginnings }] of demands.entries()) {
      const meet = (from: number, to: number) => {
        for (let i = this.#starts[from]!; i < this.#starts[to]!; i++) {
          const entry = this.#entries[i]!;
          if (lastMet[entry] === at + 1) continue;
          lastMet[entry] = at + 1;
          met[entry]!++;
        }
      };
      for (const word of words) {
        const i = firstAtOrAfter(this.texts, word);
        if (this.texts[i] === word) meet(i, i + 1);
      }
      for (const beginning of beginnings) meet(...rangeOf(this.texts, beginning));
    }
    const found: number[] = [];
    for (let entry = 0; entry < this.#count && found.length < max; entry++)
      if (met[entry]! >= min) found.push(entry);
    return found;
  }
}

/** Any of the words, or any word with one of the beginnings. */
export interface Demand {
  readonly words: readonly string[];
  readonly beginnings: readonly string[];
}

/** Where texts with this beginning stand in an ascending list: from the first up to, not including, the second. */
function rangeOf(texts: readonly string[], beginning: string): [number, number] {
  return [firstAtOrAfter(texts, beginning), firstAtOrAfter(texts, `${beginning}\uffff`)];
}

/** The place of the first text of an ascending list that is this one or comes after it. */
function firstAtOrAfter(texts: readonly string[], text: string): number {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (texts[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
