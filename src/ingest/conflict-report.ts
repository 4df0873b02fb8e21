import { IngestError } from '../model/errors.js';
import { formatDay } from '../model/time.js';
import type { ConflictingFigure, ConflictingPoint } from '../store/store.js';
import { MAX_REJECTED_TEXT } from './batch/batch-builder.js';
import type { ImportedText, ImportOptions, RejectedRow } from './importer.js';
import { openInput } from './reading/input-files.js';
import { DamagedTextError, readLineBlocks, splitLines } from './reading/line-blocks.js';

/** Reports conflicting points as rows of the files, each with the figure that it contradicts. */
export class ConflictReport {
  /** The first conflicting row. */
  first: RejectedRow | undefined;
  readonly #lines: LineTexts;
  readonly #lineOf = new Map<number, (row: number) => number>();

  readonly #texts: readonly ImportedText[];
  readonly #onConflicts: ImportOptions['onConflicts'];

  constructor(
    dataset: string,
    texts: readonly ImportedText[],
    { signal, onConflicts }: Pick<ImportOptions, 'signal' | 'onConflicts'>,
  ) {
    this.#texts = texts;
    this.#lines = new LineTexts(dataset, texts, signal);
    this.#onConflicts = onConflicts;
  }

  /** @param points by file and line */
  async add(points: readonly ConflictingPoint[]): Promise<void> {
    const rows: RejectedRow[] = [];
    for (const found of points) {
      const point = {
        ...found,
        line: await this.#line(found),
        other: { ...found.other, line: await this.#line(found.other) },
      };
      const line = point.line ?? 0;
      const text = await this.#text(point, line);
      rows.push({ file: this.#fileName(point), line, reason: this.#reason(point), text });
    }
    this.first ??= rows[0];
    await this.#onConflicts?.(rows);
  }

  /** Where the points of a text name rows, the line of the row. */
  async #line({ file, line }: ConflictingFigure): Promise<number | null> {
    const findLines = file === null ? undefined : this.#texts[file]?.findLines;
    if (findLines === undefined || line === null) return line;
    const lineOf = this.#lineOf.get(file!) ?? (await findLines());
    this.#lineOf.set(file!, lineOf);
    return lineOf(line);
  }

  close(): Promise<void> {
    return this.#lines.close();
  }

  /** Empty where the file cannot be read a second time. */
  async #text({ file }: ConflictingFigure, line: number): Promise<string> {
    if (file === null) return '';
    const text = await this.#lines.at(file, line).catch((error: unknown) => {
      if (error instanceof IngestError || error instanceof DamagedTextError) return '';
      throw error;
    });
    return text.slice(0, MAX_REJECTED_TEXT);
  }

  /** `conflict: Yield, Corn, Iowa, 2012-01-01 to 2012-12-31 is 137 bu/ac (corn) here, and 9 bu/ac (corn) in line 3 of b.csv` */
  #reason(point: ConflictingPoint): string {
    const { metric, item, region, startMs, endMs, other } = point;
    const period = `${formatDay(startMs)} to ${formatDay(endMs)}`;
    const figure = `${describeFigure(point)} here, and ${describeFigure(other)} in ${this.#place(other)}`;
    return `conflict: ${metric}, ${item}, ${region}, ${period} is ${figure}`;
  }

  #place(figure: ConflictingFigure): string {
    return figure.file === null ? 'another row' : `line ${figure.line} of ${this.#fileName(figure)}`;
  }

  #fileName({ file }: ConflictingFigure): string {
    return file === null ? '' : (this.#texts[file]?.name ?? '');
  }
}

function describeFigure({ value, unit }: ConflictingFigure): string {
  return value === null ? 'no value' : `${value} ${unit}`;
}

/** Reads single lines of the texts of an import a second time, in ascending order of text and line. */
export class LineTexts {
  #file = -1;
  #lines: AsyncGenerator<{ text: string; line: number }> | null = null;
  #current = { text: '', line: 0 };

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
    if (file !== this.#file) {
      await this.close();
      this.#file = file;
      this.#current = { text: '', line: 0 };
      this.#lines = this.#read(this.#texts[file]);
    }
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

  async *#read({ path, name }: Partial<ImportedText> = {}): AsyncGenerator<{ text: string; line: number }> {
    if (path === undefined) return;
    for await (const text of openInput(path, { dataset: this.#dataset, signal: this.#signal })) {
      if (text.name !== name) continue;
      for await (const block of readLineBlocks(text.chunks)) yield* splitLines(block);
      return;
    }
  }
}
