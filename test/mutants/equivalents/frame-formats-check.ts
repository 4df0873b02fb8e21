import { type Equivalents, OUTSIDE, SLOWER } from './equivalent.js';

export const FRAME_FORMATS_CHECK: Equivalents = {
  'src/frame/formats/check/ipc-batch.ts': [
    {
      line: 'if (this.#codec !== null || dictionary === null || entries === undefined) return;',
      changes: ['dictionary === null → false'],
      reason: 'a column without a dictionary has no entries either',
    },
    { line: 'return nullCount === 0 ? null : bits;', changes: ['nullCount === 0 → false'], reason: SLOWER },
  ],
  'src/frame/formats/check/ipc-flatbuffer.ts': [
    {
      line: 'if (slotsSize < 4 || slotsSize % 2 !== 0 || slotsSize > MAX_TABLE || size < 4 || size > MAX_TABLE) {',
      changes: ['slotsSize > MAX_TABLE → slotsSize >= MAX_TABLE'],
      reason: 'the largest size is odd, which is refused before',
    },
  ],
  'src/frame/formats/check/ipc-messages.ts': [
    {
      line: 'const isMarked = view.getInt32(at, true) === CONTINUATION;',
      changes: ['true → false'],
      reason: 'the marker is four equal bytes, in whichever order',
    },
    {
      line: 'if (length < 0 || bodyAt > end) throw at === 0 && !isMarked ? notArrow() : truncated();',
      changes: ['length < 0 → length <= 0'],
      reason: 'a length of 0 has ended the stream on the line before',
    },
  ],
  'src/frame/formats/check/ipc-values.ts': [
    {
      line: 'if (indices instanceof BigInt64Array || indices instanceof BigUint64Array) {',
      changes: ['indices instanceof BigInt64Array || indices instanceof BigUi… → true'],
      reason: SLOWER,
    },
    {
      line: 'for (let row = from; row < indices.length; row++)',
      changes: ['row < indices.length → row <= indices.length'],
      reason: OUTSIDE,
    },
    {
      line: 'if (at % Type.BYTES_PER_ELEMENT === 0) return new Type(buffer, at, held);',
      changes: [
        'at % Type.BYTES_PER_ELEMENT === 0 → false',
        'at % Type.BYTES_PER_ELEMENT → at * Type.BYTES_PER_ELEMENT',
      ],
      reason: 'aligned numbers are copied like others, which takes longer',
    },
    {
      line: 'const isWithin = size > 0 && offset >= 0 && offset + size <= (buffers[buffer]?.length ?? -1);',
      changes: ['size > 0 → size >= 0', '-1 → +1'],
      reason: 'sizes of 0 to 12 are passed over before',
    },
  ],
};
