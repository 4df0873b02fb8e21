import { groupedBy } from '../../model/grouping.js';

/** Maps words or whole names to entries, which are the positions of the entities whose names contain them. */
export class Postings {
  /**
   * A sorted table with one line per string: the string, a tab and the entries. Strings with a common prefix are
   * adjacent. A line is parsed only when a search needs it, so that a stored index can be used immediately.
   */
  readonly table: string;
  #knownStarts: Uint32Array | null = null;

  constructor(table: string) {
    this.table = table;
  }

  /** Builds the table. `pause` is awaited regularly, so that other work can run. */
  static async build(
    entriesOf: ReadonlyMap<string, readonly number[]>,
    pause: () => Promise<void>,
  ): Promise<Postings> {
    let table = '';
    const ofLetter = groupedBy(entriesOf.keys(), (text) => text.charAt(0));
    for (const letter of [...ofLetter.keys()].sort()) {
      await pause();
      const texts = ofLetter.get(letter)!.sort();
      table += texts.map((text) => `${text}\t${entriesOf.get(text)!.join()}\n`).join('');
    }
    await pause();
    return new Postings(table);
  }

  texts(): string[] {
    return splitTable(this.table).map((line) => line.slice(0, line.indexOf('\t')));
  }

  has(text: string): boolean {
    return this.#linesOf(text).length > 0;
  }

  findText(text: string): number[] {
    return this.#linesOf(text).flatMap(entriesOf);
  }

  /** Finds the entries for all strings with this prefix. Returns the first `max` entries in the given order. */
  findPrefix(text: string, max: number, order: Uint32Array): number[] {
    return this.find([{ words: [], prefixes: [text] }], { min: 1, max, order });
  }

  /** Finds the entries that meet at least `min` of the demands. Returns the first `max` entries in the given order. */
  find(
    demands: readonly Demand[],
    { min, max, order }: { min: number; max: number; order: Uint32Array },
  ): number[] {
    const lines = demands.map(({ words, prefixes }) => [
      ...words.flatMap((word) => this.#linesOf(word)),
      ...prefixes.flatMap((prefix) => this.#linesFrom(prefix, `${prefix}\uffff`)),
    ]);
    if (lines.filter(({ length }) => length > 0).length < min) return [];
    const met = new Uint8Array(order.length);
    const lastMet = new Uint8Array(order.length);
    for (const [at, ofDemand] of lines.entries())
      for (const line of ofDemand)
        for (const entry of entriesOf(line)) {
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

  #linesOf(text: string): readonly string[] {
    const line = this.#lineAt(this.#firstFrom(`${text}\t`));
    return line.startsWith(`${text}\t`) ? [line] : [];
  }

  #linesFrom(first: string, end: string): readonly string[] {
    const lines: string[] = [];
    const after = this.#firstFrom(end);
    for (let at = this.#firstFrom(first); at < after; at++) lines.push(this.#lineAt(at));
    return lines;
  }

  /** Finds, by binary search, the position of the first line that equals this string or sorts after it. */
  #firstFrom(text: string): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#lineAt(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns a line without its line ending, or an empty string after the last line. */
  #lineAt(at: number): string {
    return this.table.slice(this.#starts[at], this.#starts[at + 1]! - 1);
  }

  /** The offset of each line, followed by the table's length. They are computed on first use. */
  get #starts(): Uint32Array {
    this.#knownStarts ??= Uint32Array.from(lineStarts(this.table));
    return this.#knownStarts;
  }
}

function* lineStarts(table: string): Generator<number> {
  yield 0;
  for (let end = table.indexOf('\n'); end >= 0; end = table.indexOf('\n', end + 1)) yield end + 1;
}

function splitTable(table: string): string[] {
  return table.split('\n').slice(0, -1);
}

function entriesOf(line: string): number[] {
  return line
    .slice(line.indexOf('\t') + 1)
    .split(',')
    .map(Number);
}

/** A condition that an entry meets if it contains one of the words, or a word with one of the prefixes. */
export interface Demand {
  readonly words: readonly string[];
  readonly prefixes: readonly string[];
}
