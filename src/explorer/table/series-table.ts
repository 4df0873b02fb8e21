import { figuresOf, type Line } from '../../charts/lines.js';
import { PeriodList } from '../../compute/period-list.js';
import { lowerFirst } from '../../model/names/first-letter.js';

interface PeriodCell {
  readonly start: number;
  readonly end: number;
}

/** A cell of a table. A missing value is null or NaN, and a cell without any point is `undefined`. */
export type Cell = PeriodCell | string | number | null | undefined;

export interface Column {
  readonly name: string;
  /** The heading in files, where nothing else explains what the values are; by default, the name. */
  readonly fullName?: string;
  readonly unit?: string;
  /** The numbers that determine how many decimal places are shown (see `digitsOf`); none are shown if it is absent. */
  readonly figures?: Float64Array | readonly number[];
}

/** A view's table, as shown and as saved. Tables of periods are in date order. */
export interface ViewTable {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

export const isPeriod = (cell: Cell): cell is PeriodCell => typeof cell === 'object' && cell !== null;

export function seriesTable(lines: readonly Line[]): ViewTable {
  const fullNames = namesInFiles(lines);
  const columns = lines.map((line, at) => {
    return { name: line.label, unit: line.unit, figures: figuresOf(line), fullName: fullNames[at]! };
  });
  const periods = new PeriodList((start, end) => ({ start, end, values: lines.map((): Cell => undefined) }));
  lines.forEach(({ start, end, value }, at) => {
    start.forEach((from, row) => {
      periods.find(from, end[row]!).values[at] = value[row]!;
    });
  });
  const sorted = periods.sorted().sort((a, b) => a.start - b.start);
  return {
    columns: [{ name: 'Period' }, ...columns],
    rows: sorted.map(({ start, end, values }) => [{ start, end }, ...values]),
  };
}

/** Returns names that are understandable outside the page, such as `Iowa: yield, sum of each year, corn`. */
function namesInFiles(lines: readonly Line[]): readonly string[] {
  const shared = (['metric', 'item', 'region'] as const).filter((name) =>
    lines.every((line) => line[name] === lines[0]![name]),
  );
  return lines.map(({ label, metric, derived = metric, item, region }) => {
    const parts = label.split(' · ').map((part) => (part === metric ? derived : part));
    const names = [shared.includes('metric') || derived !== metric ? derived : ''];
    names.push(shared.includes('item') ? item : '', shared.includes('region') ? region : '');
    const missing = names.filter((name) => !['', ...parts].includes(name));
    const texts = missing.map((name) => (name === region ? region : lowerFirst(name)));
    return [parts.join(' · '), texts.join(', ')].filter(Boolean).join(': ');
  });
}
