import { IngestError } from '../model/errors.js';
import { formatDay } from '../model/time.js';
import type { ConflictingFigure, ConflictingPoint } from '../store/store.js';
import { MAX_REJECTED_TEXT } from './batch/batch-builder.js';
import type { ImportedText, ImportOptions, RejectedRow } from './importer.js';
import { openInput } from './reading/input-files.js';
import { DamagedTextError, readLineBlocks, splitLines } from './reading/line-blocks.js';

interface Line {
  readonly text: string;
  readonly line: number;
}

/** Reports conflicting points as rows of the files, each with the figure that it contradicts. */
export class ConflictReport {
  /** The first conflicting row. */
  first: RejectedRow | undefined;
  readonly #lineOf = new Map<number, (row: number) => number>();
  /** The text whose lines are read a second time, and the last of them. */
  #reading: { readonly file: number; readonly lines: AsyncGenerator<Line>; last: Line } | null = null;

  readonly #dataset: string;
  readonly #texts: readonly ImportedText[];
  readonly #options: Pick<ImportOptions, 'signal' | 'onConflicts'>;

  constructor(
    dataset: string,
    texts: readonly ImportedText[],
    options: Pick<ImportOptions, 'signal' | 'onConflicts'>,
  ) {
    this.#dataset = dataset;
    this.#texts = texts;
    this.#options = options;
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
    await this.#options.onConflicts?.(rows);
  }

  /** Where the points of a text name rows, the line of the row. */
  async #line({ file, line }: ConflictingFigure): Promise<number | null> {
    const findLines = file === null ? undefined : this.#texts[file]?.findLines;
    if (findLines === undefined || line === null) return line;
    const lineOf = this.#lineOf.get(file!) ?? (await findLines());
    this.#lineOf.set(file!, lineOf);
    return lineOf(line);
  }

  async close(): Promise<void> {
    await this.#reading?.lines.return(undefined);
    this.#reading = null;
  }

  /** Empty where lines are not rows, and where the file cannot be read a second time. */
  async #text({ file }: ConflictingFigure, line: number): Promise<string> {
    if (file === null) return '';
    try {
      if (this.#reading?.file !== file) {
        await this.close();
        this.#reading = { file, lines: this.#readLines(file), last: { text: '', line: 0 } };
      }
      const reading = this.#reading!;
      while (reading.last.line < line) {
        const next = await reading.lines.next();
        if (next.done) return '';
        reading.last = next.value;
      }
      return reading.last.line === line ? reading.last.text.slice(0, MAX_REJECTED_TEXT) : '';
    } catch (error) {
      if (error instanceof IngestError || error instanceof DamagedTextError) return '';
      throw error;
    }
  }

  async *#readLines(file: number): AsyncGenerator<Line> {
    const { path, name } = this.#texts[file] ?? {};
    if (path === undefined) return;
    const { signal } = this.#options;
    for await (const text of openInput(path, { dataset: this.#dataset, signal })) {
      if (text.name !== name) continue;
      for await (const block of readLineBlocks(text.chunks)) yield* splitLines(block);
      return;
    }
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
