import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadParquet } from '../../../src/frame/formats/parquet/parquet.js';
import { anyLists, contentOf, encoded, headOf, inPieces, rowsOf } from './points.js';

describe('a stream by series', () => {
  it('decodes to the points that were encoded, whatever is constant in them', async () => {
    await fc.assert(
      fc.asyncProperty(anyLists, fc.integer({ min: 1, max: 3000 }), async ({ count, lists }, size) => {
        const head = headOf(count);
        const received = JSON.parse(await contentOf(inPieces(await encoded(head, lists), size)));
        expect(received).toEqual([head.series, lists.flatMap(rowsOf)]);
      }),
      { numRuns: 300 },
    );
  });

  it('is an ordinary Arrow stream to other readers', async () => {
    const { Table } = await loadParquet();
    await fc.assert(
      fc.asyncProperty(anyLists, async ({ count, lists }) => {
        const bytes = await encoded(headOf(count), lists);
        const values = lists.flatMap((list) =>
          list.map(({ value, value_valid }) =>
            [...value].map((one, i) =>
              value_valid && !((value_valid[i >> 3]! >> (i & 7)) & 1) ? null : one,
            ),
          ),
        );
        const table = tableFromIPC(bytes);
        expect([...table.getChild('value')!].map((list) => [...list])).toEqual(values);
        const rust = Table.fromIPCStream(bytes).recordBatches();
        expect(rust.reduce((sum, { numRows }) => sum + numRows, 0)).toBe(values.length);
      }),
      { numRuns: 50 },
    );
  });
});
