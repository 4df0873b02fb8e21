import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyLists, contentOf, encoded, inPieces, rowsOf, seriesOf } from './points.js';

it('the private form decodes to the points that were encoded, whatever is constant in them', async () => {
  await fc.assert(
    fc.asyncProperty(anyLists, fc.integer({ min: 1, max: 3000 }), async ({ count, lists }, size) => {
      const series = seriesOf(count);
      const received = JSON.parse(await contentOf(inPieces(await encoded(series, lists), size)));
      expect(received).toEqual([series, lists.flatMap(rowsOf)]);
    }),
  );
});
