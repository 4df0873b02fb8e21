import { expect, test } from 'vitest';
import { ruleFor } from '../../../src/agronomy/degree-days/crop-rules.js';
import { findItemId } from '../../../src/ingest/vocabulary/entities.js';

test.each([
  ['Corn', 'celsius', 10],
  ['Corn', 'fahrenheit', 50],
  ['Corn silage', 'celsius', 10],
  ['Winter wheat', 'celsius', 0],
  ['Durum wheat', 'fahrenheit', 0],
  ['Barley', 'celsius', 0],
  ['Cotton', 'celsius', 60],
  ['Sunflower seed', 'celsius', 44],
  ['Sweet corn', 'celsius', undefined],
  ['Corn salad', 'celsius', undefined],
  ['Wheat grass', 'celsius', undefined],
  ['Sunflower', 'celsius', undefined],
] as const)('the published rule of %s, in %s, has the base %s', (crop, unit, base) => {
  expect(ruleFor(crop, unit)?.base).toBe(base);
  if (base !== undefined) expect(findItemId(crop)).toBeDefined();
});
