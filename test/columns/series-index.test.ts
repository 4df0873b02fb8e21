import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeriesIndex } from '../../src/columns/series-index.js';
import { seriesKeyText } from '../../src/model/series.js';

const id = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 ** 31 - 1 }));
const key = fc.record({
  metric_id: id,
  item_id: id,
  region_id: id,
  partner_region_id: id,
  source_id: id,
  frequency_id: fc.integer({ min: 1, max: 13 }),
});

describe('SeriesIndex', () => {
  it('numbers keys like a map of their texts, also after truncate', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 600 }), fc.nat(600), (keys, kept) => {
        const index = new SeriesIndex();
        const known = new Map<string, number>();
        const check = (): void => {
          for (const one of keys) {
            const text = seriesKeyText(one);
            if (!known.has(text)) known.set(text, known.size);
            expect(index.indexOf(one)).toBe(known.get(text));
          }
        };
        check();
        const size = Math.min(kept, index.size);
        index.truncate(size);
        for (const [text, number] of known) if (number >= size) known.delete(text);
        check();
        expect(index.take().map(seriesKeyText)).toEqual([...known.keys()]);
        expect(index.size).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
