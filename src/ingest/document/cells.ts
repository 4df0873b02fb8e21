import { shownList } from '../../model/errors.js';
import type { RowMark } from '../../store/store.js';
import { orRowError, RowError } from '../batch/batch-builder.js';
import missingMarks from '../vocabulary/missing-marks.json' with { type: 'json' };
import type { Row } from './fields.js';
import type { MissingTexts } from './form.js';
import { createNumberParser, createNumberTexts } from './numbers.js';
import type { Form, ValueColumn } from './parse-form.js';

/** Matches a value followed by a flag of one to nine letters. */
const FLAGGED = /^(.*?)\s+([A-Za-z]{1,9})$/;

type Remarks = Readonly<Record<string, string | number>>;

/** Reads remarks from a row's columns. Remarks from value cells start as "", so that the order of remarks is fixed. */
export function remarksOf(remarks: ValueColumn['remarks'], row: Row): Remarks {
  const named = Object.entries(remarks).map(([name, remark]) => {
    const text = 'cell' in remark ? '' : row[remark.column]!;
    const isNumber = !('cell' in remark) && remark.number && text !== '' && Number.isFinite(Number(text));
    return [name, isNumber ? Number(text) : text] as const;
  });
  return Object.fromEntries(named);
}

export type CellRules = ReturnType<typeof cellRules>;

/** Returns the rules for parsing a column's cells. `textOf` returns the text that an entry of `missing` stands for. */
export function cellRules(
  { decimal, missing, isFlagged, remarks }: ValueColumn,
  form: Form,
  textOf: (text: string) => string,
) {
  const format = decimal === undefined ? form : { ...form, decimal, isSurePoint: true };
  const parseNumber = createNumberParser(format);
  const numberTexts = (texts: readonly string[]) => createNumberTexts(texts.map(textOf), parseNumber);
  const ofMissing = ({ nulls, absent }: MissingTexts) => ({
    nulls: numberTexts(nulls),
    absent: numberTexts(absent),
  });
  return {
    ...{ format, parseNumber, isFlagged, marks: form.marks, ...ofMissing(missing) },
    zero: createNumberTexts(form.zero, parseNumber),
    /** The cases that override the column's `missing`. If several cases apply to a row, the first one is used. */
    cases: form.cases.flatMap(({ when, missing }) =>
      missing === undefined ? [] : [{ when, ...ofMissing(missing) }],
    ),
    /** The name and pattern of each remark that a value cell may contain instead of a number. */
    remarkCells: Object.entries(remarks).flatMap(([name, remark]) =>
      'cell' in remark ? [[name, remark.cell] as const] : [],
    ),
  };
}

type ReadCell = { readonly notRead: string } | { readonly value: number | null; readonly remarks: Remarks };

/** Parses a value cell. The value is null if the text means a null value, or if the cell is empty but has a remark. */
export function readCell(
  cell: string,
  { remarks: ofColumns, column }: { readonly remarks: Remarks; readonly column: string },
  { marks: known, zero, parseNumber, nulls, absent, isFlagged, remarkCells }: CellRules,
): ReadCell {
  const whole = cell.trim();
  const [named] = remarkCells.find(([, pattern]) => pattern.test(whole)) ?? [];
  if (named !== undefined) return { value: null, remarks: { ...ofColumns, [named]: whole } };
  const flagged = isFlagged ? FLAGGED.exec(whole) : null;
  const written = flagged?.[1] ?? whole;
  const isWhole = (text: string): boolean =>
    [absent, nulls, zero].some((texts) => texts.has(text)) ||
    !(orRowError(() => parseNumber(text, column)) instanceof RowError);
  const { text, marks } = splitMarks(written, known, isWhole);
  const isLimit = marks.some((mark) => known[mark] === null);
  const meanings = isLimit ? [written] : marks.map((mark) => known[mark]);
  const ofCell = [...meanings, flagged?.[2]].filter((remark) => remark);
  const isEmpty = (text === '' && !nulls.has('')) || absent.has(text);
  // A cell for which no point would be stored becomes a null value if it has a remark. If its text means "no point",
  // the remark must be in the cell itself.
  const isRemarked =
    ofCell.length > 0 || (!absent.has(text) && Object.values(ofColumns).some((one) => one !== ''));
  if (isEmpty && !isRemarked)
    return { notRead: text === '' ? 'empty cells' : `missing values (${absent.find(text)})` };
  const [[remark] = []] = remarkCells;
  const other = remark === undefined ? undefined : `a remark, "${remark}"`;
  const figure = () => (zero.has(text) ? 0 : parseNumber(text, column, other));
  const value = isEmpty || nulls.has(text) ? null : figure();
  const flag = [...ofCell, ofColumns.flag].filter((remark) => remark).join('; ');
  return { value: isLimit ? null : value, remarks: { ...ofColumns, flag } };
}

/** Separates a number from the symbols before and after it, such as "<". The "-" of "-5" belongs to the number. */
function splitMarks(
  text: string,
  known: Form['marks'],
  isWhole: (text: string) => boolean,
): { text: string; marks: string[] } {
  const mark = Object.keys(known).find((one) => text.startsWith(one) || text.endsWith(one));
  if (mark === undefined || isWhole(text)) return { text, marks: [] };
  const rest = text.startsWith(mark) ? text.slice(mark.length) : text.slice(0, -mark.length);
  const inner = splitMarks(rest.trim(), known, isWhole);
  return { text: inner.text, marks: [mark, ...inner.marks] };
}

export const MISSING_MARKS: readonly number[] = Object.values(missingMarks)
  .flat()
  .flatMap((number) => [number, -number]);

/** The minimum distance between a suspect number and the other values, as a share of their largest absolute value. */
const MIN_DISTANCE = 0.1;

/** Checks whether a number probably means "missing", because it is an outlier or more frequent than nearby values. */
function isLikely({ number, count, near, min, max }: RowMark): boolean {
  if (min === null || max === null) return count > 1;
  const distance = Math.max(min - number, number - max);
  const isFar = distance >= Math.max(max - min, MIN_DISTANCE * Math.max(Math.abs(min), Math.abs(max)));
  return (distance > 0 && isFar) || (count > 1 && count > 2 * near);
}

const MAX_LISTED = 5;

/** Returns a note on numbers that probably stand for missing values, with a suggested value for the `missing` key. */
export function noteOnMarks(column: string, marks: readonly RowMark[], missing: MissingTexts): string[] {
  const likely = marks.filter(isLikely);
  if (likely.length === 0) return [];
  const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);
  const counts = likely.map(({ number, count }) => `${number} ${times(count)}`);
  const { min, max } = likely[0]!;
  const others = min === null ? '' : `, while its other values range from ${min} to ${max}`;
  const marked = likely.map(({ number }) => String(number));
  const [counted, proposed] = [shownList(counts, MAX_LISTED, ', '), proposeMissing(missing, marked)];
  return [`"${column}" has ${counted}${others}; if that means "no value", set ${proposed} in the document`];
}

export function proposeMissing({ nulls, absent }: MissingTexts, further: readonly string[]): string {
  const all = [...nulls, ...further];
  const meanings = [...all.map((text) => [text, null]), ...absent.map((text) => [text, 'no point'])];
  return `"missing": ${JSON.stringify(absent.length === 0 ? all : Object.fromEntries(meanings))}`;
}
