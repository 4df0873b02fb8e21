import { expect } from 'vitest';
import type { Check } from '../executed.js';
import { outputText } from '../notebook.js';

/** Figures that the tests of the quickstart check, in this order. */
const TEXTS = (
  '12 combinations|1461 points cover 100%|wide frame|long frame|998.65|1962|' +
  'NOAA daily weather|<svg|0.152502|0.847498|111.1827|1,461 rows|PAR1'
).split('|');

export const checkQuickstart: Check = ({ notebook }) => {
  let rest = outputText(notebook);
  for (const text of TEXTS) {
    expect(rest).toContain(text);
    rest = rest.slice(rest.indexOf(text) + text.length);
  }
};
