import { expect, test } from 'vitest';
import { averageFrame } from '../../../src/agronomy/models/crop-weighting.js';
import { toRows } from '../../../src/frame/formats/rows.js';
import { resample } from '../../../src/frame/verbs/resample.js';
import { withColumn } from '../../../src/frame/verbs/with-column.js';
import { PROVENANCE } from '../points.js';
import { annual, wideOf } from '../verbs.js';

const DAY = 86_400_000n;

test('an average of regions is resampled; the weight that is present on each day is not', () => {
  const days = BigInt64Array.from({ length: 31 }, (_, day) => BigInt(day) * DAY);
  const [, field] = wideOf([{ frequency_id: 1 }, annual(2000, [1])]).schema.fields;
  const average = averageFrame(
    {
      start_date: days,
      end_date: days,
      value: new Float64Array(31).fill(2),
      weight_present: new Float64Array(31).fill(1),
    },
    { unit_id: 7, metadata: field!.metadata, provenance: PROVENANCE },
  );
  const monthly = resample(average, { to: 'monthly', how: 'sum' });
  expect(toRows(monthly).map((row) => Object.values(row).at(-1))).toEqual([62]);
  expect(monthly.schema.fields.map(({ name }) => name)).not.toContain('weight_present');
});

test.each(['own', 'value', 'metadata'])('a column %s of one’s own is not lost without a word', (name) => {
  const wide = withColumn(wideOf([{}, annual(2000, [1])]), name, () => 1);
  expect(() => resample(wide, { to: 'annual', how: 'sum' })).toThrow(`resample would lose "${name}"`);
});
