import { writerIn } from '../../charts/language.js';
import type { Line } from '../../charts/lines.js';
import { dateParts } from '../../model/calendar.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import { periodsOf } from '../table/periods.js';

export type WideCell = string | number | null;

const KINDS = [
  ['Year', /^\d{4}(\/\d\d)?$/],
  ['Month', /^\d{4}-\d\d$/],
  ['Date', /^\d{4}-\d\d-\d\d$/],
] as const;

const ENGLISH = writerIn(['en-GB']);

/** Returns series as spreadsheet rows: a header row, and a row for each period with a cell for each series. */
export function wideTable(lines: readonly Line[]): readonly (readonly WideCell[])[] {
  const periods = periodsOf(lines);
  const texts = periods.map(({ start, end }) => periodText(start, end));
  const [kind = 'Period'] = KINDS.find(([, form]) => texts.every((text) => form.test(text))) ?? [];
  const isOneUnit = new Set(lines.map(({ unit }) => unit)).size === 1 && lines.length > 1;
  const heads = lines.map(({ label, unit }) => (isOneUnit || unit === '' ? label : `${label} (${unit})`));
  const rows = periods.map(({ rows }, at): WideCell[] => [
    /^\d{4}$/.test(texts[at]!) ? Number(texts[at]) : texts[at]!,
    ...lines.map(({ value }, series) => {
      const one = value[rows[series]!];
      return one === undefined || Number.isNaN(one) ? null : one;
    }),
  ]);
  return [[kind, ...heads], ...rows];
}

/** Formats a period as `2012`, `2012/13`, `2012-07` or `2012-07-01`, or else as its first and last day. */
function periodText(start: number, end: number): string {
  const year = ENGLISH.period(start, end);
  if (/^\d{4}(\/\d\d)?$/.test(year)) return year;
  const [first, last] = [formatDay(start), formatDay(end)];
  const isMonth = dateParts(start).day === 1 && first.slice(0, 7) === last.slice(0, 7) && first !== last;
  if (isMonth && dateParts(end + DAY_MS).day === 1) return first.slice(0, 7);
  return first === last ? first : `${first}/${last}`;
}

export function toTabSeparated(rows: readonly (readonly WideCell[])[]): string {
  const text = (cell: WideCell) => String(cell ?? '').replace(/[\t\r\n]+/g, ' ');
  return rows.map((row) => row.map(text).join('\t')).join('\r\n');
}
