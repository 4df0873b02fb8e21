/** Collects which entries have which texts. Entries are numbers from 0, added in ascending order. */
export class PostingsBuilder {
  readonly #numbers = new Map<string, number>();
  /** The last entry that had a text, by the number of the text; an entry counts a text once. */
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
    const positions = new Uint32Array(texts.length);
    for (const [place, text] of texts.entries()) positions[this.#numbers.get(text)!] = place;
    const starts = new Uint32Array(texts.length + 1);
    for (const number of this.#pairTexts) starts[positions[number]! + 1]!++;
    for (let i = 0; i < texts.length; i++) starts[i + 1]! += starts[i]!;
    const next = starts.slice();
    const entries = new Uint32Array(this.#pairEntries.length);
    for (const [i, number] of this.#pairTexts.entries()) {
      const place = positions[number]!;
      entries[next[place]!] = this.#pairEntries[i]!;
      next[place]!++;
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
    /** Sorted, so that texts with a common prefix are neighbours. */
    readonly texts: readonly string[],
    /** Position of the first entry of each text. */
    starts: Uint32Array,
    entries: Uint32Array,
  ) {
    this.#count = count;
    this.#starts = starts;
    this.#entries = entries;
  }

  has(text: string): boolean {
    return this.texts[lowerBound(this.texts, text)] === text;
  }

  /** Entries that have exactly this text. */
  findText(text: string): number[] {
    const at = lowerBound(this.texts, text);
    return this.texts[at] === text ? [...this.#entries.subarray(this.#starts[at], this.#starts[at + 1])] : [];
  }

  /** The first `max` entries that have a text with this prefix. */
  findPrefix(text: string, max: number): number[] {
    return this.find([{ words: [], prefixes: [text] }], 1, max);
  }

  /** The first `max` entries that meet at least `min` of the demands. */
  find(demands: readonly Demand[], min: number, max: number): number[] {
    const met = new Uint8Array(this.#count);
    const lastMet = new Uint8Array(this.#count);
    for (const [at, { words, prefixes }] of demands.entries()) {
      const meet = (from: number, to: number) => {
        for (let i = this.#starts[from]!; i < this.#starts[to]!; i++) {
          const entry = this.#entries[i]!;
          if (lastMet[entry] === at + 1) continue;
          lastMet[entry] = at + 1;
          met[entry]!++;
        }
      };
      for (const word of words) {
        const i = lowerBound(this.texts, word);
        if (this.texts[i] === word) meet(i, i + 1);
      }
      for (const prefix of prefixes) meet(...prefixRange(this.texts, prefix));
    }
    const found: number[] = [];
    for (let entry = 0; entry < this.#count && found.length < max; entry++)
      if (met[entry]! >= min) found.push(entry);
    return found;
  }
}

/** Met by an entry that has one of the words, or a word with one of the prefixes. */
export interface Demand {
  readonly words: readonly string[];
  readonly prefixes: readonly string[];
}

/** The range (end exclusive) of the texts with this prefix in a sorted list. */
function prefixRange(texts: readonly string[], prefix: string): [number, number] {
  return [lowerBound(texts, prefix), lowerBound(texts, `${prefix}\uffff`)];
}

/** The position of the first text in a sorted list that is not before this one. */
function lowerBound(texts: readonly string[], text: string): number {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (texts[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
