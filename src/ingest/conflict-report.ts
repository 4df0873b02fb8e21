import { IngestError } from '../model/errors.js';
import { formatDay } from '../model/time.js';
import type { ConflictingFigure, ConflictingPoint } from '../store/store.js';
import { MAX_REJECTED_TEXT } from './batch/batch-builder.js';
import type { ImportedRow, ImportedText, ImportOptions, RejectedRow } from './importer.js';
import { DamagedTextError } from './reading/line-blocks.js';

/** A line of a file; undefined where the text is the file. */
interface Place {
  readonly file: string | undefined;
  readonly line: number;
}

/** The lines of rows. */
class RowLines {
  /** The first row from which on lines are that much ahead of rows. */
  readonly #steps: { readonly row: number; readonly ahead: number; readonly file: string | undefined }[] = [];

  static async read(rows: AsyncIterable<ImportedRow>): Promise<RowLines> {
    const lines = new RowLines();
    let row = 0;
    for await (const { line, file } of rows) {
      const last = lines.#steps.at(-1);
      if (last?.ahead !== line - row || last.file !== file)
        lines.#steps.push({ row, ahead: line - row, file });
      row++;
    }
    return lines;
  }

  placeOf(row: number): Place {
    let [from, to] = [0, this.#steps.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#steps[middle]!.row <= row) from = middle + 1;
      else to = middle;
    }
    const { ahead = 0, file } = this.#steps[from - 1] ?? {};
    return { file, line: row + ahead };
  }
}

/** Reports conflicting points as rows of the files, each with the figure that it contradicts. */
export class ConflictReport {
  /** The first conflicting row. */
  first: RejectedRow | undefined;
  readonly #lines = new Map<number, RowLines>();
  /** The text whose rows are read a second time, and the last of them. */
  #reading: {
    readonly file: number;
    readonly rows: AsyncIterator<ImportedRow>;
    row: number;
    text: string;
  } | null = null;

  readonly #texts: readonly ImportedText[];
  readonly #options: Pick<ImportOptions, 'signal' | 'onConflicts'>;

  constructor(texts: readonly ImportedText[], options: Pick<ImportOptions, 'signal' | 'onConflicts'>) {
    this.#texts = texts;
    this.#options = options;
  }

  /** @param points by file and line */
  async add(points: readonly ConflictingPoint[]): Promise<void> {
    const rows: RejectedRow[] = [];
    for (const found of points) {
      this.#options.signal?.throwIfAborted();
      const [{ file, line }, other] = [await this.#placeOf(found), await this.#placeOf(found.other)];
      const text = await this.#text(found);
      rows.push({ file, line, reason: reasonOf(found, other), text });
    }
    this.first ??= rows[0];
    await this.#options.onConflicts?.(rows);
  }

  /** The file and the line of a figure: points of texts with rows name rows in place of lines. */
  async #placeOf({ file, line: row }: ConflictingFigure): Promise<{ file: string; line: number }> {
    if (file === null) return { file: '', line: 0 };
    const { name = '', rows } = this.#texts[file] ?? {};
    if (rows === undefined || row === null) return { file: name, line: row ?? 0 };
    const lines = this.#lines.get(file) ?? (await RowLines.read(rows()));
    this.#lines.set(file, lines);
    const place = lines.placeOf(row);
    return { file: place.file ?? name, line: place.line };
  }

  async close(): Promise<void> {
    await this.#reading?.rows.return?.();
    this.#reading = null;
  }

  /** Empty where the text has no rows, and where it cannot be read a second time. */
  async #text({ file, line: row }: ConflictingFigure): Promise<string> {
    const rows = file === null ? undefined : this.#texts[file]?.rows;
    if (rows === undefined || row === null) return '';
    try {
      if (this.#reading?.file !== file) {
        await this.close();
        this.#reading = { file: file!, rows: rows()[Symbol.asyncIterator](), row: -1, text: '' };
      }
      const reading = this.#reading!;
      for (; reading.row < row; reading.row++) {
        const next = await reading.rows.next();
        if (next.done) return '';
        reading.text = next.value.text;
      }
      return reading.row === row ? reading.text.slice(0, MAX_REJECTED_TEXT) : '';
    } catch (error) {
      if (error instanceof IngestError || error instanceof DamagedTextError) return '';
      throw error;
    }
  }
}

/** `conflict: Yield, Corn, Iowa, 2012-01-01 to 2012-12-31 is 137 bu/ac (corn) here, and 9 bu/ac (corn) in line 3 of b.csv` */
function reasonOf(point: ConflictingPoint, place: { readonly file: string; readonly line: number }): string {
  const { metric, item, region, startMs, endMs, other } = point;
  const period = `${formatDay(startMs)} to ${formatDay(endMs)}`;
  const where = other.file === null ? 'another row' : `line ${place.line} of ${place.file}`;
  const figure = `${describeFigure(point)} here, and ${describeFigure(other)} in ${where}`;
  return `conflict: ${metric}, ${item}, ${region}, ${period} is ${figure}`;
}

function describeFigure({ value, unit }: ConflictingFigure): string {
  return value === null ? 'no value' : `${value} ${unit}`;
}
