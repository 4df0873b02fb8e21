import { monthsPeriod, type Period, yearsPeriod } from '../../model/calendar.js';
import { frequencyId } from '../../model/frequency.js';
import { RowError } from '../batch/batch-builder.js';
import { monthByName } from '../reading/months.js';

/** The period of a row. */
interface FaoPeriod extends Period {
  readonly frequencyId: number;
}

const FREQUENCIES: ReadonlyMap<number, number> = new Map([
  [1, frequencyId('annual')],
  [3, frequencyId('3-year')],
  [5, frequencyId('5-year')],
]);
const MONTHLY = frequencyId('monthly');

/**
 * The period of a row: a calendar year, several years ("1999-2001"), or a month.
 * @param month English name of the month; any other text means the whole year
 * @throws RowError when the year is invalid, or there is no frequency of so many years
 */
export function parseFaoPeriod(year: string, month: string): FaoPeriod {
  const [, first, last] = /^(\d{4})(?:-(\d{4}))?$/.exec(year.trim()) ?? [];
  if (first === undefined) throw new RowError(`the year "${year}" is not a year`);
  const monthNumber = monthByName(month);
  if (monthNumber > 0) return { ...monthsPeriod(Number(first), monthNumber, 1), frequencyId: MONTHLY };
  const years = Number(last ?? first) - Number(first) + 1;
  const frequency = FREQUENCIES.get(years);
  if (frequency === undefined) throw new RowError(`there is no frequency for the years "${year}"`);
  return { ...yearsPeriod(Number(first), years), frequencyId: frequency };
}
