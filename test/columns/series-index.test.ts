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

const one = {
  metric_id: 1,
  item_id: 2,
  region_id: 3,
  partner_region_id: 4,
  source_id: 5,
  frequency_id: 6,
};

describe('SeriesIndex', () => {
  it('numbers keys like a map of their texts, also after truncate', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 600, size: 'max' }), fc.nat(600), (keys, kept) => {
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

  it.each(['metric_id', 'item_id', 'region_id', 'partner_region_id', 'source_id', 'frequency_id'])(
    'numbers keys apart that differ in %s alone, although some of them meet in the table',
    (field) => {
      const keys = Array.from({ length: 600 }, (_, i) => ({ ...one, [field]: i + 100 }));
      const index = new SeriesIndex();
      for (const _ of [1, 2]) expect(keys.map((one) => index.indexOf(one))).toEqual([...keys.keys()]);
    },
  );

  it('numbers keys apart that differ in any one field', () => {
    const others = Object.keys(one).map((name) => ({ ...one, [name]: 9 }));
    const index = new SeriesIndex();
    expect([one, ...others, one].map((each) => index.indexOf(each))).toEqual([0, 1, 2, 3, 4, 5, 6, 0]);
  });
});
