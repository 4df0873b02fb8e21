import type { ImportedText } from '../importer.js';
import { openInput } from './input-files.js';
import { readLineBlocks, splitLines } from './line-blocks.js';

interface Line {
  readonly text: string;
  readonly line: number;
}

/** Where a text begins: before its first line. */
const BEGINNING: Line = { text: '', line: 0 };

/** Reads single lines of the texts of an import a second time, in ascending order of text and line. */
export class LineTexts {
  #file = -1;
  #lines: AsyncGenerator<Line> | null = null;
  #current = BEGINNING;

  readonly #dataset: string;
  readonly #texts: readonly ImportedText[];
  readonly #signal: AbortSignal | undefined;

  constructor(dataset: string, texts: readonly ImportedText[], signal?: AbortSignal | undefined) {
    this.#dataset = dataset;
    this.#texts = texts;
    this.#signal = signal;
  }

  /** The text of a line; empty where lines are not rows, or the text has become shorter. */
  async at(file: number, line: number): Promise<string> {
    if (file !== this.#file) await this.#open(file);
    while (this.#lines !== null && this.#current.line < line) {
      const next = await this.#lines.next();
      if (next.done) await this.close();
      else this.#current = next.value;
    }
    return this.#current.line === line ? this.#current.text : '';
  }

  async close(): Promise<void> {
    await this.#lines?.return(undefined);
    this.#lines = null;
  }

  async #open(file: number): Promise<void> {
    await this.close();
    this.#file = file;
    this.#current = BEGINNING;
    const { path, name } = this.#texts[file] ?? {};
    if (path === undefined) return;
    this.#lines = this.#readLines(path, name!);
  }

  async *#readLines(path: string, name: string): AsyncGenerator<Line> {
    const options = { dataset: this.#dataset, signal: this.#signal, onBytes: () => {} };
    for await (const text of openInput(path, options)) {
      if (text.name !== name) continue;
      for await (const block of readLineBlocks(text.chunks)) yield* splitLines(block);
      return;
    }
  }
}
