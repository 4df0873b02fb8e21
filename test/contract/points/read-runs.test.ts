import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PackedPoints } from '../../../src/columns/packed-points.js';
import { decodeRuns } from '../../../src/contract/points/read-runs.js';
import { ContractError } from '../../../src/model/errors.js';
import { countRuns } from '../../endurance.js';
import { anyLists, encoded, inPieces, rowsOf, seriesOf } from './points.js';

/** Three frames with points, which need every array. */
const { count, lists } = richSample();
const SERIES = seriesOf(count);
const ROWS = lists.flatMap(rowsOf);

/** Of the positions of bytes, which endurance tries all; it is odd, so that every place of a word is tried. */
const STRIDE = countRuns({ quick: 13, all: 1 });

const HEAD_BYTES = 16;

let bytes: Uint8Array<ArrayBuffer>;
let frames: Uint8Array<ArrayBuffer>[];
beforeEach(async () => {
  frames = await framesOf(lists);
  bytes = joined(frames);
});

function richSample(): { count: number; lists: PackedPoints[][] } {
  const all = fc.sample(anyLists, { numRuns: 200, seed: 14 });
  return all.find((one) => one.count > 5 && one.lists.filter((list) => list.length > 1).length > 2)!;
}

const joined = (parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** An answer with a frame for each list: the writer would join lists as short as these. */
async function framesOf(lists: readonly (readonly PackedPoints[])[]): Promise<Uint8Array<ArrayBuffer>[]> {
  const apart = await Promise.all(
    lists.filter((list) => list.length > 0).map(async (list) => splitFrames(await encoded(SERIES, [list]))),
  );
  const [first, , last] = splitFrames(await encoded(SERIES, lists));
  return [first!, ...apart.map(([, points]) => points!), last!];
}

function splitFrames(answer: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const found: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < answer.length; ) {
    const length = HEAD_BYTES + new DataView(answer.buffer, answer.byteOffset + at).getUint32(8, true);
    found.push(answer.slice(at, at + length));
    at += length;
  }
  return found;
}

/** What arrives of an answer, and the error that ends it. */
async function arrival(body: AsyncIterable<Uint8Array>): Promise<{ rows: string[]; error: unknown }> {
  const rows: string[] = [];
  try {
    const { series, batches } = await decodeRuns(body, 'points');
    expect(series).toEqual(SERIES);
    for await (const batch of batches) rows.push(...rowsOf(batch));
    return { rows, error: null };
  } catch (error) {
    return { rows, error };
  }
}

describe('an answer that is not complete is an error', () => {
  it('wherever it is truncated, with the points before', async () => {
    for (let end = 0; end < bytes.length; end += STRIDE) {
      const { rows, error } = await arrival(inPieces(bytes.slice(0, end), 4096));
      expect(rows, `truncated at ${end}`).toEqual(ROWS.slice(0, rows.length));
      expect(error, `truncated at ${end}`).toBeInstanceOf(ContractError);
      expect(error, `truncated at ${end}`).toMatchObject({ damaged: true });
    }
  }, 120_000);

  it('when a frame is lost or repeated', async () => {
    expect(frames.length).toBeGreaterThan(4);
    for (let i = 0; i < frames.length; i++) {
      const { error } = await arrival(inPieces(joined(frames.filter((_, at) => at !== i)), 4096));
      expect(error, `without ${i}`).toBeInstanceOf(ContractError);
      if (i === 0 || i === frames.length - 1) continue;
      const twice = joined(frames.toSpliced(i, 0, frames[i]!));
      expect((await arrival(inPieces(twice, 4096))).error, `${i} twice`).toBeInstanceOf(ContractError);
    }
  });

  it('when its number of points is another', async () => {
    const [first, , ...rest] = frames;
    const { error } = await arrival(inPieces(joined([first!, ...rest]), 4096));
    expect(String(error)).toMatch(/it has \d+ points instead of \d+/);
  });
});

describe('lengths of frames', () => {
  it('take no more memory than about twice what they have sent', async () => {
    const head = frames[0]!.slice(0, HEAD_BYTES);
    new DataView(head.buffer).setUint32(8, 60_000_000, true);
    for (const sent of [0, 1_200_000]) {
      const pieces = [head, new Uint8Array(sent)];
      const before = process.memoryUsage().arrayBuffers;
      let during = 0;
      const body = (async function* () {
        for (const piece of pieces) yield piece;
        during = process.memoryUsage().arrayBuffers;
      })();
      await expect(decodeRuns(body, 'points')).rejects.toMatchObject({ damaged: true });
      expect(during - before, `after ${sent} bytes`).toBeLessThan(8_000_000);
    }
  });

  it.each([0x7fff_fff8, 12])('are refused with a length of %i, naming the operation', async (length) => {
    const head = frames[0]!.slice(0, HEAD_BYTES);
    new DataView(head.buffer).setUint32(8, length, true);
    const { error } = await arrival(inPieces(head, 4096));
    expect(String(error)).toMatch(/points: the point stream cannot be read: a length is out of bounds/);
  });

  it('are refused in another version, by name', async () => {
    const other = bytes.slice();
    other[3] = '1'.charCodeAt(0);
    const { error } = await arrival(inPieces(other, 4096));
    expect(String(error)).toMatch(/its format is unknown/);
  });
});
