import { IngestError } from '../../model/errors.js';
import { calendarDay } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import { parseRowDateOfAnyForm } from '../reading/row-values.js';

/** The columns with whole dates, as reports of different years call them. */
const WHOLE = /^(asofdate\w*|reportdateas)(yyyymmdd|mmddyyyy)$/;
const SHORT = /^asofdate\w*yymmdd$/;

/** Two digits from here on are years of the last century; the oldest reports are of 1986. */
const FIRST_YEAR = 70;

/**
 * A reader of a row's date, which most files have in two forms. Both must agree.
 * @throws IngestError when the header has neither
 */
export function createDateReader(
  folded: readonly string[],
  { dataset, file }: { readonly dataset: string; readonly file: string },
): (fields: readonly string[]) => number {
  const wholeAt = folded.findIndex((name) => WHOLE.test(name));
  const shortAt = folded.findIndex((name) => SHORT.test(name) && !WHOLE.test(name));
  if (wholeAt < 0 && shortAt < 0)
    throw new IngestError(dataset, `${file} has no column with the date of the positions`, { file, row: 1 });
  return (fields) => {
    const whole = wholeAt < 0 ? null : parseRowDateOfAnyForm(fields[wholeAt]!, 'date');
    const short = shortAt < 0 ? null : parseShortDate(fields[shortAt]!.trim());
    if (whole !== null && short !== null && whole !== short)
      throw new RowError(`the dates "${fields[shortAt]!.trim()}" and "${fields[wholeAt]!.trim()}" differ`);
    return whole ?? short!;
  };
}

/** `YYMMDD`; spreadsheets drop leading zeros. */
function parseShortDate(text: string): number {
  const digits = text.padStart(6, '0');
  const [year, month, day] = [0, 2, 4].map((at) => Number(digits.slice(at, at + 2)));
  const century = year! < FIRST_YEAR ? 2000 : 1900;
  const ms = /^\d{6}$/.test(digits) && text !== '' ? calendarDay(century + year!, month!, day!) : null;
  if (ms === null) throw new RowError(`the date "${text}" is not a date`);
  return ms;
}
