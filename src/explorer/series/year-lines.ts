import type { Line } from './lines.js';

/** The leap year whose calendar all years share, as in `plotYears`. */
const REFERENCE_YEAR = 2000;

/** The years of series, each as a line with its dates moved to one calendar, in the order in which `plotYears` draws them. */
export function yearLines(lines: readonly Line[]): Line[] {
  return lines.flatMap(yearsOf);
}

function yearsOf(line: Line): Line[] {
  const known = [...line.value.keys()].filter((row) => !Number.isNaN(line.value[row]!));
  const years = new Map<number, number[]>();
  for (const row of known) {
    const year = new Date(line.start[row]!).getUTCFullYear();
    const rows = years.get(year);
    if (rows === undefined) years.set(year, [row]);
    else rows.push(row);
  }
  return [...years].map(([year, rows]) => ({
    ...line,
    start: Float64Array.from(rows, (row) => moved(line.start[row]!, year)),
    end: Float64Array.from(rows, (row) => moved(line.end[row]!, year)),
    value: Float64Array.from(rows, (row) => line.value[row]!),
  }));
}

/** A moment on the shared calendar: 1 March is 1 March, also after a year without 29 February. */
function moved(ms: number, year: number): number {
  const [january, march] = [Date.UTC(year, 0, 1), Date.UTC(year, 2, 1)];
  return ms < march
    ? ms - january + Date.UTC(REFERENCE_YEAR, 0, 1)
    : ms - march + Date.UTC(REFERENCE_YEAR, 2, 1);
}
