import { Table } from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { frameChecksum } from '../../../src/frame/table/checksum.js';
import { anyPointSet, NAMES, PROVENANCE, runsOf, seriesOf } from '../points.js';

const frameOf = (values: readonly (number | null)[], ids = {}) =>
  longFrame(
    {
      series: [seriesOf(ids)],
      runs: runsOf(values.map((value, day) => ({ series: 0, start: day, end: day, value }))),
    },
    { names: NAMES },
  );

test('does not depend on the batches', () => {
  fc.assert(
    fc.property(anyPointSet(), fc.nat(80), (points, cut) => {
      const table = longFrame(points, { names: NAMES });
      if (table.numRows === 0) return;
      const at = cut % table.numRows;
      const pieces =
        at === 0 ? table : new Table([...table.slice(0, at).batches, ...table.slice(at).batches]);
      expect(frameChecksum(pieces)).toBe(frameChecksum(table));
    }),
    { numRuns: 60 },
  );
});

test('does not depend on provenance or on the values of null rows', () => {
  const table = frameOf([1, null]);
  const other = frameOf([1, null]);
  other.getChild('value')!.data[0]!.values[1] = 42;
  expect(frameChecksum(other)).toBe(frameChecksum(table));
  expect(other.getChild('value')!.data[0]!.values[1], 'the frame is left as it is').toBe(42);
  const points = { series: [seriesOf()], runs: [] };
  expect(frameChecksum(longFrame(points, { provenance: PROVENANCE }))).toBe(frameChecksum(longFrame(points)));
});

test('differs for another value, null, name or order', () => {
  const frames = [
    frameOf([1, 2]),
    frameOf([2, 1]),
    frameOf([1, null]),
    frameOf([1]),
    frameOf([1, 2], { region_id: 8 }),
  ];
  const renamed = longFrame(
    {
      series: [seriesOf()],
      runs: runsOf([1, 2].map((value, day) => ({ series: 0, start: day, end: day, value }))),
    },
    { names: { ...NAMES, regions: new Map([[3, 'Iowa!']]) } },
  );
  expect(new Set([...frames, renamed].map(frameChecksum)).size).toBe(6);
});
