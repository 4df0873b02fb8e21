import { RowError } from '../batch/batch-builder.js';
import { parsePlainNumber } from '../reading/row-values.js';

/** A figure; or null, with the code that Quick Stats publishes instead. */
interface NassValue {
  readonly value: number | null;
  readonly code: string | null;
}

const NUMBER = /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$|^-?\.\d+$/;
/** Character codes of the marks in a figure. */
export const MARKS = { decimal: '.'.charCodeAt(0), thousands: ','.charCodeAt(0) };
const CODE = /^\([A-Za-z]{1,3}\)$/;

/**
 * Parses a figure with thousands separators, or a code in parentheses: (D) withheld, (Z) less than half the unit, (NA) not
 * available, (X) not applicable, (S) insufficient, (L) low, (H) high.
 * @throws RowError when the text is neither
 */
export function parseNassValue(text: string): NassValue {
  const number = parsePlainNumber(text, MARKS);
  if (!Number.isNaN(number)) return { value: number, code: null };
  const trimmed = text.trim();
  if (NUMBER.test(trimmed)) return { value: Number(trimmed.replaceAll(',', '')), code: null };
  if (CODE.test(trimmed)) return { value: null, code: trimmed };
  throw new RowError(`the value "${trimmed}" is neither a number nor a code such as (D)`);
}

/** JSON of the code and the coefficient of variation (percent, or a code); null when there is neither. */
export function formatNassMetadata(code: string | null, variation: string): string | null {
  const cv = variation.trim();
  if (code === null && cv === '') return null;
  const cv_percent = Number(cv);
  return JSON.stringify({
    code: code ?? undefined,
    ...(cv !== '' && (Number.isNaN(cv_percent) ? { cv_code: cv } : { cv_percent })),
  });
}
