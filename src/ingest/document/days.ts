import { orRowError, RowError } from '../batch/batch-builder.js';
import { columnFinder, lineError } from '../reading/columns.js';
import type { TextRecord } from '../reading/delimited.js';
import type { ReshapedTable } from '../reading/tables.js';
import type { DayFunction } from './form.js';
import { createNumberParser, createNumberTexts } from './numbers.js';
import type { Form } from './parse-form.js';

interface Hours {
  readonly figures: (number | undefined)[];
  /** The text of the first cell that is not a number, or a description of conflicting values for the same hour. */
  fault?: string;
}

interface Day {
  readonly record: TextRecord;
  readonly texts: readonly string[];
  readonly columns: readonly Hours[];
}

/** The maximum number of days in memory. If it is exceeded, the oldest day is written out and only its key is kept. */
const MAX_OPEN_DAYS = 10_000;
const SCATTERED = `the rows of one day are separated by rows of ${MAX_OPEN_DAYS} or more other days; sort the rows by place and day`;
const HOURS_PER_DAY = 24;

/** Matches an hour of the day, alone or after a date: `3`, `03:00`, `0300 UTC`, `2024-11-14T03:00`. */
const FULL_HOUR = /^(?:(?<day>\d{4}-\d\d-\d\d)[T ])?(?<hour>[01]?\d|2[0-3])(?::?00(?::00)?)?(?: ?UTC)?$/;

const FUNCTIONS: Readonly<Record<DayFunction, (figures: readonly number[]) => number>> = {
  min: (figures) => Math.min(...figures),
  max: (figures) => Math.max(...figures),
  mean: (figures) => sum(figures) / figures.length,
  sum,
};

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}

/**
 * Aggregates hourly rows into daily rows. A daily row has the columns listed in `by`, the date, and one column per
 * aggregate of a value column, such as `temp max`. An aggregate is empty if fewer than `at_least` hours have a number.
 * If an hour has an invalid number or conflicting numbers, the aggregate is a non-numeric string, so that the row is
 * rejected.
 * @throws IngestError if a column is missing, or if more hours of a day follow after the day's row has been written
 */
export function reshapeHours(
  header: readonly string[],
  form: Form & { readonly days: NonNullable<Form['days']> },
  file: string,
): ReshapedTable {
  const { hour, by, figures, at_least } = form.days;
  const where = { dataset: form.name ?? 'table', file };
  const positionOf = columnFinder(header, where);
  const at = positionOf(hour);
  const kept = by.map(positionOf);
  const reduced = figures.flatMap(({ columns, functions }) =>
    header.flatMap((name, position) =>
      columns.test(name) ? functions.map((reduce) => ({ name: `${name} ${reduce}`, position, reduce })) : [],
    ),
  );
  const positions = [...new Set(reduced.map(({ position }) => position))];
  const readCell = createCellReader(form);
  const width = kept.length + 1 + reduced.length;

  const add = ({ columns }: Day, fields: readonly string[], of: number): void => {
    for (const [i, position] of positions.entries()) {
      const column = columns[i]!;
      const figure = readCell(fields[position]!);
      const before = column.figures[of];
      // The hour keeps a text such as "5 E" or "-" from being read as the figure of the day.
      if (typeof figure === 'string') column.fault ??= `${figure} at ${of}:00`;
      else if (figure !== null && before !== undefined && before !== figure)
        column.fault ??= `${before} and ${figure} at ${of}:00`;
      else if (figure !== null) column.figures[of] = figure;
    }
  };
  const cellOf = ({ columns }: Day, { position, reduce }: (typeof reduced)[number]): string => {
    const { figures: ofHours, fault } = columns[positions.indexOf(position)]!;
    if (fault !== undefined) return fault;
    const found = ofHours.filter((figure) => figure !== undefined);
    if (found.length < at_least) return '';
    // Removes floating-point noise, as in 0.30000000000000004.
    return String(Number(FUNCTIONS[reduce](found).toPrecision(12))).replace('.', form.decimal);
  };
  const rowOf = (day: Day): TextRecord => ({
    ...day.record,
    fields: [...day.texts, ...reduced.map((one) => cellOf(day, one))],
  });

  async function* records(rows: AsyncIterable<TextRecord>): AsyncGenerator<TextRecord> {
    const open = new Map<string, Day>();
    const finished = new Set<string>();
    for await (const record of rows) {
      const { fields } = record;
      const match = fields.length === header.length ? FULL_HOUR.exec(fields[at]!.trim()) : null;
      if (match === null) {
        const text = fields.length === header.length ? fields[at]! : fields.join(' ');
        yield {
          ...record,
          fields: Array.from({ length: width }, () => `${text} (not a complete row for a full hour)`),
        };
        continue;
      }
      const texts = [...kept.map((position) => fields[position]!), match.groups!.day ?? ''];
      const key = JSON.stringify(texts);
      let day = open.get(key);
      if (day === undefined) {
        if (finished.has(key))
          throw lineError({ ...where, file: record.file ?? file }, record.line, SCATTERED);
        day = { record, texts, columns: positions.map(() => ({ figures: Array(HOURS_PER_DAY) })) };
        open.set(key, day);
      }
      add(day, fields, Number(match.groups!.hour));
      if (open.size <= MAX_OPEN_DAYS) continue;
      const [[oldest, ended]] = open as unknown as [[string, Day]];
      open.delete(oldest);
      finished.add(oldest);
      yield rowOf(ended);
    }
    for (const day of open.values()) yield rowOf(day);
  }
  return { header: [...by, hour, ...reduced.map(({ name }) => name)], records };
}

/** Creates a cell parser that returns null for a missing value, and the text itself if it is not a number. */
function createCellReader(form: Form): (cell: string) => number | string | null {
  const parseNumber = createNumberParser(form);
  const none = createNumberTexts([...form.missing.nulls, ...form.missing.absent, ''], parseNumber);
  const zero = createNumberTexts(form.zero, parseNumber);
  return (cell) => {
    const text = cell.trim();
    if (none.has(text)) return null;
    if (zero.has(text)) return 0;
    const number = orRowError(() => parseNumber(text, 'figure'));
    return number instanceof RowError ? text : number;
  };
}
