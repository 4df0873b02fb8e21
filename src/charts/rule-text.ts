import { type AppliedRule, type DegreeDayMethod, TEMPERATURE_SYMBOLS } from '../agronomy/degree-days/plan.js';

const METHOD_NAMES: Readonly<Record<DegreeDayMethod, string>> = {
  average: 'Simple average',
  'mcmaster-wilhelm-1': 'McMaster–Wilhelm method 1',
  'mcmaster-wilhelm-2': 'McMaster–Wilhelm method 2',
  'single-sine': 'Single sine',
  'double-sine': 'Double sine',
  'single-triangle': 'Single triangle',
  'double-triangle': 'Double triangle',
};

/** A rule in words: method, thresholds with their unit, and cut-off. */
export function describeRule({ method, cutoff, base, cap, temperature_unit }: AppliedRule): string {
  const symbol = TEMPERATURE_SYMBOLS[temperature_unit];
  const upper = cap === null ? 'no cap' : `cap ${cap} ${symbol}, ${cutoff} cut-off`;
  return `${METHOD_NAMES[method]}, base ${base} ${symbol}, ${upper}`;
}
