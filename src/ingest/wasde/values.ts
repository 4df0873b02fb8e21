import { RowError } from '../batch/batch-builder.js';

/** A figure, or null with what stands in its place. */
interface WasdeValue {
  readonly value: number | null;
  readonly remarks: Readonly<Record<string, unknown>>;
}

const NUMBER = '-?(?:\\d+|\\d{1,3}(?:,\\d{3})+)?(?:\\.\\d+)?';
const FIGURE = new RegExp(`^(${NUMBER})\\s*(\\*|\\d/)?$`);
const RANGE = new RegExp(`^(${NUMBER})\\s*-\\s*(${NUMBER})\\s*(\\*|\\d/)?$`);
const ABSENT = /^(NA|N\/A|--|-|\*|filler)$/i;

/**
 * Reads a cell: a figure with thousands separators and perhaps a footnote's mark; a range, as prices were projected until
 * 2019, whose ends stand in the remarks while the value is null; or nothing (null).
 * @throws RowError when the text is none of them
 */
export function parseWasdeValue(text: string): WasdeValue | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (ABSENT.test(trimmed)) return { value: null, remarks: { code: trimmed } };
  const figure = FIGURE.exec(trimmed);
  if (figure !== null && /\d/.test(figure[1]!)) return { value: parseNumber(figure[1]!), remarks: {} };
  const range = RANGE.exec(trimmed);
  if (range === null || !/\d/.test(range[1]!) || !/\d/.test(range[2]!)) {
    throw new RowError(`the value "${trimmed}" is no number`);
  }
  return { value: null, remarks: { low: parseNumber(range[1]!), high: parseNumber(range[2]!) } };
}

function parseNumber(text: string): number {
  return Number(text.replaceAll(',', ''));
}
