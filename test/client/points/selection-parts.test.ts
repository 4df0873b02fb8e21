import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSelection } from '../../../src/client/points/points.js';
import type { SelectionLists } from '../../../src/model/selection.js';

const ids = fc.uniqueArray(fc.nat(5000), { minLength: 1, maxLength: 400 });
const few = fc.uniqueArray(fc.nat(50), { minLength: 1, maxLength: 12 });

function product(lists: SelectionLists): string[] {
  return Object.entries(lists).reduce<string[]>(
    (keys, [field, values]) => keys.flatMap((key) => values.map((id) => `${key} ${field}${id}`)),
    [''],
  );
}

describe('splitSelection', () => {
  it('selects together exactly what the whole selects, each series once, in parts that are small', () => {
    fc.assert(
      fc.property(ids, few, few, (region_id, item_id, metric_id) => {
        const whole = { metric_id, item_id, region_id, source_id: [1] };
        const parts = splitSelection(whole);
        expect(parts.flatMap(product).sort()).toEqual(product(whole).sort());
        for (const part of parts) {
          expect(product(part).length).toBeLessThanOrEqual(1000);
          expect(Object.values(part).flat().length).toBeLessThanOrEqual(200);
        }
      }),
      { numRuns: 25 },
    );
  });
});
