import { describe, expect, it } from 'vitest';
import type { PackedPoints } from '../../../src/columns/packed-points.js';
import { CarriedPoints } from '../../../src/contract/points/carried-points.js';
import { seriesOf } from './points.js';

const series = seriesOf(2);

/** Points that say when they are asked for. */
function somePoints(): { points: CarriedPoints; asked: () => boolean } {
  let asked = false;
  async function* batches(): AsyncGenerator<readonly PackedPoints[], void, undefined> {
    asked = true;
    yield [];
    yield [];
  }
  return { points: new CarriedPoints(series, batches()), asked: () => asked };
}

async function countOf(batches: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of batches) count++;
  return count;
}

describe('the points of an answer', () => {
  it('are taken once', async () => {
    const { points } = somePoints();
    expect(points.series).toBe(series);
    expect(points.isTaken).toBe(false);
    expect(await countOf(points.take())).toBe(2);
    expect(points.isTaken).toBe(true);
    expect(() => points.take()).toThrow('have been read already');
  });

  it('are taken by who reads them in a loop, when the loop begins', async () => {
    const { points, asked } = somePoints();
    const iterator = points[Symbol.asyncIterator]();
    expect([points.isTaken, asked()]).toEqual([false, false]);
    expect((await iterator.next()).value).toEqual([]);
    expect(points.isTaken).toBe(true);
    expect(await countOf(iterator)).toBe(1);
    await expect(countOf(points)).rejects.toThrow('have been read already');
  });
});
