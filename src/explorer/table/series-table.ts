import { lowerFirst } from '../../charts/language.js';
import type { Line } from '../../charts/lines.js';
import { PeriodList } from '../../compute/period-list.js';
import type { Cell, ViewTable } from './view-table.js';

/** Returns a table with a row for each period and a column for each series. */
export function seriesTable(lines: readonly Line[]): ViewTable {
  const fullNames = namesInFiles(lines);
  const columns = lines.map(({ label: name, unit, value: figures }, at) => {
    return { name, unit, figures, fullName: fullNames[at]! };
  });
  const periods = new PeriodList((start, end) => {
    return { start, end, values: lines.map((): Cell => undefined) };
  });
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

/** Returns names that are understandable outside the page, such as `Iowa: yield, corn`. */
function namesInFiles(lines: readonly Line[]): readonly string[] {
  const shared = (['metric', 'item', 'region'] as const).filter((name) =>
    lines.every((line) => line[name] === lines[0]![name]),
  );
  return lines.map(({ label, ...names }) => {
    const missing = shared.filter((name) => !['', ...label.split(' · ')].includes(names[name]));
    const texts = missing.map((name) => (name === 'region' ? names.region : lowerFirst(names[name])));
    return texts.length === 0 ? label : `${label}: ${texts.join(', ')}`;
  });
}
