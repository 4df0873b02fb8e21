/** The words of many entries, and for each word the entries that have it. Entries are numbers from 0, best first. */
export class Postings {
  private constructor(
    private readonly entries: number,
    /** Ascending, so that words with one beginning stand together. */
    readonly words: readonly string[],
    private readonly starts: Uint32Array,
    private readonly postings: Uint32Array,
  ) {}

  /** @param wordsOfEntry each entry's words, by number; repeats do no harm */
  static of(wordsOfEntry: readonly Iterable<string>[]): Postings {
    const byWord = new Map<string, number[]>();
    for (const [entry, words] of wordsOfEntry.entries()) {
      for (const word of words) {
        const having = byWord.get(word);
        if (having === undefined) byWord.set(word, [entry]);
        else if (having.at(-1) !== entry) having.push(entry);
      }
    }
    const words = [...byWord.keys()].sort();
    const starts = new Uint32Array(words.length + 1);
    for (const [i, word] of words.entries()) starts[i + 1] = starts[i]! + byWord.get(word)!.length;
    const postings = new Uint32Array(starts[words.length]!);
    for (const [i, word] of words.entries()) postings.set(byWord.get(word)!, starts[i]!);
    return new Postings(wordsOfEntry.length, words, starts, postings);
  }

  has(word: string): boolean {
    return this.words[firstAtOrAfter(this.words, word)] === word;
  }

  /** The first `most` entries that have at least `least` of the demands. */
  find(demands: readonly Demand[], least: number, most: number): number[] {
    const met = new Uint8Array(this.entries);
    const lastMet = new Uint8Array(this.entries);
    for (const [at, { words, beginnings }] of demands.entries()) {
      const meet = (from: number, to: number) => {
        for (let i = this.starts[from]!; i < this.starts[to]!; i += 1) {
          const entry = this.postings[i]!;
          if (lastMet[entry] === at + 1) continue;
          lastMet[entry] = at + 1;
          met[entry]! += 1;
        }
      };
      for (const word of words) {
        const i = firstAtOrAfter(this.words, word);
        if (this.words[i] === word) meet(i, i + 1);
      }
      for (const beginning of beginnings) meet(...rangeOf(this.words, beginning));
    }
    const found: number[] = [];
    for (let entry = 0; entry < this.entries && found.length < most; entry += 1)
      if (met[entry]! >= least) found.push(entry);
    return found;
  }
}

/** Any of the words, or any word with one of the beginnings. */
export interface Demand {
  readonly words: readonly string[];
  readonly beginnings: readonly string[];
}

/** Where texts with this beginning stand in an ascending list: from the first up to, not including, the second. */
export function rangeOf(texts: readonly string[], beginning: string): [number, number] {
  return [firstAtOrAfter(texts, beginning), firstAtOrAfter(texts, `${beginning}\uffff`)];
}

/** The place of the first text of an ascending list that is this one or comes after it. */
export function firstAtOrAfter(texts: readonly string[], text: string): number {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (texts[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
