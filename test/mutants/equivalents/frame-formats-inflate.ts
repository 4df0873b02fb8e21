import { BEYOND, type Equivalents, OUTSIDE } from './equivalent.js';

const COPIED = 'bytes are copied one by one, or all at once, which takes longer';
const OVERWRITTEN = 'what is written too far is written again by what follows, or past the end';
const CUT_ANYWAY = 'a token that is missing reads as 0, and the next check refuses it alike';
const NO_HIGH_WORD = 'no size reaches 4 GiB, so that the word is 0';

export const FRAME_FORMATS_INFLATE: Equivalents = {
  'src/frame/formats/inflate/copy-bytes.ts': [
    {
      line: 'if (length > MAX_LOOPED) into.set(from.subarray(at, at + length), to);',
      changes: [
        'length > MAX_LOOPED → true',
        'length > MAX_LOOPED → false',
        'length > MAX_LOOPED → length >= MAX_LOOPED',
        'length > MAX_LOOPED → length <= MAX_LOOPED',
      ],
      reason: COPIED,
    },
    {
      line: 'else for (let i = 0; i < length; i++) into[to + i] = from[at + i]!;',
      changes: ['i < length → i <= length'],
      reason: OVERWRITTEN,
    },
    {
      line: 'if (distance >= length && length > MAX_LOOPED) into.copyWithin(to, to - distance, to - distance + length);',
      changes: [
        'distance >= length && length > MAX_LOOPED → false',
        'distance >= length → distance > length',
        'length > MAX_LOOPED → true',
        'length > MAX_LOOPED → length >= MAX_LOOPED',
        'length > MAX_LOOPED → length <= MAX_LOOPED',
      ],
      reason: COPIED,
    },
    {
      line: 'if (distance >= length && length > MAX_LOOPED) into.copyWithin(to, to - distance, to - distance + length);',
      changes: ['to - distance → to + distance'],
      reason: `of the end: ${OVERWRITTEN}`,
    },
    {
      line: 'else for (let i = 0; i < length; i++) into[to + i] = into[to - distance + i]!;',
      changes: ['i < length → i <= length'],
      reason: OVERWRITTEN,
    },
  ],
  'src/frame/formats/inflate/inflate-ipc.ts': [
    {
      line: 'if (batch === null || codec === null) return [];',
      changes: ['batch === null → false'],
      reason: 'a batch that is missing has no codec either',
    },
    {
      line: 'if (compression !== null) view.setUint16(compression + shift, 0, true);',
      changes: ['compression !== null → true', 'true → false'],
      reason: 'a batch that is compressed says so; a 0 is the same in whichever order',
    },
    {
      line: 'view.setInt32(at + 4, Math.floor(value / 2 ** 32), true);',
      changes: ['value / 2 ** 32 → value * 2 ** 32', 'true → false'],
      reason: NO_HIGH_WORD,
    },
  ],
  'src/frame/formats/inflate/lz4-frame.ts': [
    {
      line: "if (at >= from.length) throw broken('block is cut short');",
      changes: ['at >= from.length → false', 'at >= from.length → at > from.length'],
      reason: CUT_ANYWAY,
    },
  ],
  'src/frame/formats/inflate/xxhash64.ts': [
    {
      line: 'hash.add(input.set(Math.floor(bytes.length / 2 ** 32), bytes.length | 0));',
      changes: ['bytes.length / 2 ** 32 → bytes.length * 2 ** 32'],
      reason: NO_HIGH_WORD,
    },
  ],
  'src/frame/formats/inflate/zstd-bits.ts': [
    {
      line: 'return at < 0 ? 0 : word(this.#bytes, at) & ((1 << count) - 1);',
      changes: ['at < 0 → at <= 0', 'at < 0 → false'],
      reason: 'no stream begins with the first byte, and what is before it is anything',
    },
    {
      line: 'if (count > 24) return this.read(count - 16) * 2 ** 16 + this.read(16);',
      changes: ['count > 24 → count >= 24'],
      reason: 'the same 24 bits, in two parts',
    },
  ],
  'src/frame/formats/inflate/zstd-block.ts': [
    {
      line: 'const which = code > 3 ? 3 : code - 1 + Number(withoutLiterals);',
      changes: ['code > 3 → false'],
      reason: 'a larger code moves all three distances on, as 3 does',
    },
  ],
  'src/frame/formats/inflate/zstd-frame.ts': [
    {
      line: "if (length > view.byteLength) throw broken('frame is cut short');",
      changes: ['length > view.byteLength → length >= view.byteLength'],
      reason: 'a frame that ends with its header lacks its first block, which is refused alike',
    },
  ],
  'src/frame/formats/inflate/zstd-fse.ts': [
    {
      line: "if (left < 0 || shares.length > maxSymbol + 1) throw broken('table of symbols does not add up');",
      changes: ['left < 0 → false'],
      reason: 'no share that can be written is more than what is left',
    },
    {
      line: 'for (let count = 3; count === 3 && shares.length <= maxSymbol; ) {',
      changes: ['shares.length <= maxSymbol → true'],
      reason: 'symbols that there are not are refused after it',
    },
    {
      line: 'return (value >= 2 ** (width - 1) ? value - short : value) - 1;',
      changes: ['value >= 2 ** (width - 1) → value > 2 ** (width - 1)'],
      reason: 'the value at the boundary takes a bit less, and is read before',
    },
    {
      line: 'for (let i = 0; i < size; i++) {',
      changes: ['i < size → i <= size'],
      reason: BEYOND,
    },
    {
      line: 'for (let symbol = 0; symbol < shares.length; symbol++) if (shares[symbol] === -1) symbols[--end] = symbol;',
      changes: ['symbol < shares.length → symbol <= shares.length'],
      reason: OUTSIDE,
    },
    {
      line: 'for (let symbol = 0; symbol < shares.length; symbol++) {',
      changes: ['symbol < shares.length → symbol <= shares.length'],
      reason: OUTSIDE,
    },
  ],
  'src/frame/formats/inflate/zstd-huffman.ts': [
    {
      line: "if (from >= to) throw broken('block is cut short');",
      changes: ['from >= to → false', 'from >= to → from > to'],
      reason: 'whatever byte follows, the table that it states is then refused alike',
    },
    {
      line: 'for (let symbol = 0; symbol < weights.length; symbol++) {',
      changes: ['symbol < weights.length → symbol <= weights.length'],
      reason: OUTSIDE,
    },
  ],
};
