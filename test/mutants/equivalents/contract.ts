import { BEYOND, type Equivalents, SLOWER } from './equivalent.js';

const ALL_VALID = 'a bitmap that has every bit says what no bitmap says';
const SAME_PIECES = 'the same bytes, in one piece or in two';
const SPLIT_AGAIN = 'the next piece is joined too, and what is beyond the metadata is split off again';
const SAME_BYTES = 'the marker is four equal bytes, in whichever order';

export const CONTRACT: Equivalents = {
  'src/contract/series-stream/batch-metadata.ts': [
    {
      line: 'if (note !== null) {',
      changes: ['note !== null → true'],
      reason: 'the vtable says that the message has no such field, so that nobody reads it',
    },
  ],
  'src/contract/series-stream/batch-reader.ts': [
    { line: 'for (let i = 0; i < length; i++)', changes: ['i < length → i <= length'], reason: BEYOND },
    {
      line: 'const [offset, bytes] = this.#buffers[this.#buffer++] ?? [0, -1];',
      changes: ['[0, -1] → []'],
      reason: 'an offset that is missing is no multiple of 8 either',
    },
  ],
  'src/contract/series-stream/batch-writer.ts': [
    {
      line: 'if (lists.every((list) => list === null || list.valid === null)) return null;',
      changes: [
        'list.valid === null → false',
        'lists.every((list) => list === null || list.valid === null) → false',
        '(list) => list === null || list.valid === null → () => undefined',
        'list === null || list.valid === null → false',
      ],
      reason: ALL_VALID,
    },
    {
      line: 'this.#buffer(nulls === 0 ? null : valid);',
      changes: ['nulls === 0 → false'],
      reason: ALL_VALID,
    },
    {
      line: 'const filled = lists.flatMap((list) => (list === null || list.items.length === 0 ? [] : [list.items]));',
      changes: ['list.items.length === 0 → false'],
      reason: SLOWER,
    },
    {
      line: 'if (part === null || length === 0) return;',
      changes: ['part === null → false'],
      reason: 'a part that is missing has no length either',
    },
  ],
  'src/contract/series-stream/encoder.ts': [
    {
      line: 'if (byteLength(pending) < MIN_YIELD_BYTES) continue;',
      changes: ['byteLength(pending) < MIN_YIELD_BYTES → byteLength(pending) <= MIN_YIELD_BYTES'],
      reason: SAME_PIECES,
    },
  ],
  'src/contract/series-stream/read-runs.ts': [
    {
      line: 'for (let i = 0; valid !== null && i < items.length; i++) if (!isValid(valid, i)) items[i] = NO_UNIT_ID;',
      changes: ['valid !== null → true'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = 0; valid !== null && i < items.length; i++) if (!isValid(valid, i)) items[i] = NO_UNIT_ID;',
      changes: ['i < items.length → i <= items.length'],
      reason: BEYOND,
    },
    { line: 'if (valid !== null)', changes: ['valid !== null → true'], reason: SLOWER },
    {
      line: 'for (let i = 0; i < each.elements.items.length; i++) if (!isValid(valid, i)) setEpoch(eachWords, i, 0);',
      changes: ['i < each.elements.items.length → i <= each.elements.items.length'],
      reason: BEYOND,
    },
    {
      line: 'for (let i = 0; i < days.length; i++)',
      changes: ['i < days.length → i <= days.length'],
      reason: BEYOND,
    },
    {
      line: 'for (let i = 0; i < dates.length; i++)',
      changes: ['i < dates.length → i <= dates.length'],
      reason: BEYOND,
    },
  ],
  'src/contract/series-stream/schema.ts': [
    {
      line: "writer.reset(undefined, new Schema(fields, new Map([['', '']])));",
      changes: ["['', ''] → []", '\'\' → "Stryker was here!"'],
      reason: 'the pair only makes room for a reference, which then refers to other pairs',
    },
    {
      line: 'const columns = stream.slice(PREFIX_BYTES, stream.byteLength - PREFIX_BYTES);',
      changes: ['stream.byteLength - PREFIX_BYTES → stream.byteLength + PREFIX_BYTES'],
      reason: 'nothing refers to the bytes at the end',
    },
  ],
  'src/contract/series-stream/sealed-messages.ts': [
    {
      line: 'if (prefix.getUint32(0, true) !== CONTINUATION || length < 0)',
      changes: ['true → false'],
      reason: SAME_BYTES,
    },
    { line: 'view.setUint32(0, CONTINUATION, true);', changes: ['true → false'], reason: SAME_BYTES },
    {
      line: 'new DataView(mark.buffer).setUint32(0, CONTINUATION, true);',
      changes: ['true → false'],
      reason: SAME_BYTES,
    },
  ],
  'src/contract/stream/checksum.ts': [
    {
      line: 'if (bitmap !== null) hash = hashBitmap(hash, bitmap, length);',
      changes: ['bitmap !== null → true'],
      reason: 'a bitmap that is missing has every bit, which adds nothing',
    },
  ],
  'src/contract/stream/crc32.ts': [
    {
      line: 'export const crc32: (bytes: Uint8Array, start?: number) => number = nodeZlib?.crc32 ?? portableCrc32;',
      changes: ['nodeZlib?.crc32 ?? portableCrc32 → nodeZlib?.crc32 && portableCrc32'],
      reason: SLOWER,
    },
    {
      line: 'for (const last = bytes.length - 8; i <= last; i += 8) {',
      changes: ['i <= last → false', 'i <= last → i < last'],
      reason: 'the bytes are taken one at a time, which takes longer',
    },
    {
      line: 'while (tables.length < 8) tables.push(tables.at(-1)!.map((crc) => first[crc & 0xff]! ^ (crc >>> 8)));',
      changes: ['tables.length < 8 → tables.length <= 8'],
      reason: 'nobody uses a ninth table',
    },
  ],
  'src/contract/stream/message-frames.ts': [
    {
      line: 'if (view.getUint32(0, true) !== CONTINUATION || length < 0)',
      changes: ['true → false'],
      reason: SAME_BYTES,
    },
    {
      line: 'if (head.byteLength < PREFIX_BYTES) continue;',
      changes: ['head.byteLength < PREFIX_BYTES → head.byteLength <= PREFIX_BYTES'],
      reason: SPLIT_AGAIN,
    },
    {
      line: 'if (head.byteLength < end) continue;',
      changes: ['head.byteLength < end → head.byteLength <= end'],
      reason: SPLIT_AGAIN,
    },
    {
      line: 'if (wanted <= this.#message.byteLength) return;',
      changes: [
        'wanted <= this.#message.byteLength → false',
        'wanted <= this.#message.byteLength → wanted < this.#message.byteLength',
      ],
      reason: 'memory is taken anew where there is enough',
    },
    {
      line: 'if (at === this.#message.byteLength) this.#ensureSize(at, Math.min(to, 2 * at));',
      changes: ['at === this.#message.byteLength → true'],
      reason: 'the same memory, taken sooner',
    },
  ],
  'src/contract/stream/point-decoder.ts': [
    {
      line: "if (first.done === true) throw damagedStream(endpoint, 'it is empty');",
      changes: ['first.done === true → false'],
      reason: 'an empty stream is refused as truncated before',
    },
  ],
  'src/contract/stream/point-encoder.ts': [
    {
      line: 'if (byteLength(pending) < MIN_YIELD_BYTES) continue;',
      changes: ['byteLength(pending) < MIN_YIELD_BYTES → byteLength(pending) <= MIN_YIELD_BYTES'],
      reason: SAME_PIECES,
    },
    {
      line: 'if (columns.length <= MAX_ROWS_PER_MESSAGE) yield columns;',
      changes: ['columns.length <= MAX_ROWS_PER_MESSAGE → columns.length < MAX_ROWS_PER_MESSAGE'],
      reason: 'a batch of just so many rows is split into itself',
    },
  ],
};
