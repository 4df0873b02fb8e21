import { firstAtOrAfter, rangeOf } from './search-postings.js';

/** Whole names and aliases without spaces, ascending, each with its entry. Entries are numbers from 0, best first. */
export class WholeLabels {
  private constructor(
    private readonly texts: readonly string[],
    private readonly entries: Uint32Array,
  ) {}

  /** @param textsOfEntry each entry's names and aliases, by number */
  static of(textsOfEntry: readonly Iterable<string>[]): WholeLabels {
    const byText = new Map<string, number[]>();
    for (const [entry, texts] of textsOfEntry.entries()) {
      for (const text of texts) {
        const called = byText.get(text);
        if (called === undefined) byText.set(text, [entry]);
        else if (called.at(-1) !== entry) called.push(entry);
      }
    }
    const distinct = [...byText.keys()].sort();
    const texts = distinct.flatMap((text) => byText.get(text)!.map(() => text));
    return new WholeLabels(texts, Uint32Array.from(distinct.flatMap((text) => byText.get(text)!)));
  }

  /** Entries that are called exactly this. */
  called(text: string): number[] {
    const found: number[] = [];
    for (let i = firstAtOrAfter(this.texts, text); this.texts[i] === text; i += 1)
      found.push(this.entries[i]!);
    return found;
  }

  /** The first `most` entries that have a name or alias with this beginning. */
  beginningWith(text: string, most: number): number[] {
    const distinct = new Set(this.entries.slice(...rangeOf(this.texts, text)).sort());
    return [...distinct].slice(0, most);
  }
}
