import { describe, expect, it } from 'vitest';
import { batchMetadata } from '../../../src/contract/series-stream/batch-metadata.js';
import {
  FlatTable,
  keyValues,
  MESSAGE,
  RECORD_BATCH,
} from '../../../src/contract/series-stream/flatbuffer.js';

const EMPTY = { nodes: [], buffers: [], note: null };

describe("the metadata of a batch's message", () => {
  it('name the fifth version of the format, by the first field of a message', () => {
    expect(FlatTable.root(batchMetadata(0, 0, EMPTY)).int16(0, -1)).toBe(4);
  });

  it('have no note, and no room for one, unless there is one', () => {
    const none = batchMetadata(0, 0, EMPTY);
    expect(FlatTable.root(none).has(MESSAGE.metadata)).toBe(false);
    // The last parts are the counts of two empty lists.
    expect(none.subarray(-12)).toEqual(new Uint8Array(12));
    expect(none.byteLength).toBe(104);
    const noted = FlatTable.root(batchMetadata(0, 0, { ...EMPTY, note: ['points', '3'] }));
    expect([...keyValues(noted, MESSAGE.metadata)]).toEqual([['points', '3']]);
  });

  it('have counts above 2^32', () => {
    const count = 2 ** 33 + 5;
    const message = FlatTable.root(batchMetadata(count, count, { ...EMPTY, nodes: [count, 1] }));
    const batch = message.table(MESSAGE.header);
    expect(message.count(MESSAGE.bodyLength)).toBe(count);
    expect([batch.count(RECORD_BATCH.length), batch.pairs(RECORD_BATCH.nodes)]).toEqual([
      count,
      [[count, 1]],
    ]);
  });
});
