import { RowError } from '../batch/batch-builder.js';

/** A figure; or null, with the code or the range that the report prints instead. */
interface WasdeValue {
  readonly value: number | null;
  readonly remarks: Readonly<Record<string, unknown>>;
}

const NUMBER = '-?(?:\\d+|\\d{1,3}(?:,\\d{3})+)?(?:\\.\\d+)?';
const MARK = '(?:\\*{1,3}|\\d{1,2}/)';
const FIGURE = new RegExp(`^(${NUMBER})\\s*${MARK}?$`);
const RANGE = new RegExp(`^(${NUMBER})\\s*-\\s*(${NUMBER})\\s*${MARK}?$`);
const ABSENT = new RegExp(`^(NA|N/A|--|-|filler|${MARK})$`, 'i');

/**
 * Parses a cell. A figure may have thousands separators and a footnote mark. A range, in which prices were projected
 * until 2019, is a null value with its ends in the remarks. So is a footnote mark alone, with the mark as code: it stands
 * for a figure too small to print ("3/ Less than 5,000 bales"). An empty cell is null.
 * @throws RowError when the text is none of these
 */
export function parseWasdeValue(text: string): WasdeValue | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (ABSENT.test(trimmed)) return { value: null, remarks: { code: trimmed } };
  const figure = FIGURE.exec(trimmed);
  if (figure !== null && /\d/.test(figure[1]!)) return { value: parseNumber(figure[1]!), remarks: {} };
  const range = RANGE.exec(trimmed);
  if (range === null || !/\d/.test(range[1]!) || !/\d/.test(range[2]!)) {
    throw new RowError(`the value "${trimmed}" is not a number`);
  }
  return { value: null, remarks: { low: parseNumber(range[1]!), high: parseNumber(range[2]!) } };
}

function parseNumber(text: string): number {
  return Number(text.replaceAll(',', ''));
}
