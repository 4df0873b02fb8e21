import { decompress } from '@bokuweb/zstd-wasm';
import { describe, expect, test } from 'vitest';
import { decompressZstd } from '../../../../src/frame/formats/ipc/zstd.js';
import '../compressed-arrow.js';
import { refusalOf } from './refusal.js';

// Tables of symbols in frames written by hand (RFC 8878, 4.1.1 and 4.2.1), beside what its own decoder makes of them.

/** Bits from the first of a byte on. */
class Bits {
  readonly #bits: number[] = [];

  add(value: number, width: number): this {
    for (let bit = 0; bit < width; bit++) this.#bits.push(Math.floor(value / 2 ** bit) % 2);
    return this;
  }

  bytes(): number[] {
    return Array.from({ length: Math.ceil(this.#bits.length / 8) }, (_, i) =>
      this.#bits.slice(8 * i, 8 * i + 8).reduceRight((sum, bit) => sum * 2 + bit, 0),
    );
  }
}

/** The description of a table: the share of each symbol in 2 ** log, -1 for one below 1. */
function tableOf(shares: readonly number[], log: number): number[] {
  const bits = new Bits().add(log - 5, 4);
  let left = 2 ** log;
  for (let i = 0; i < shares.length && left > 0; ) {
    const value = shares[i]! + 1;
    const width = 32 - Math.clz32(left + 1);
    const short = 2 ** width - 1 - (left + 1);
    if (value < short) bits.add(value, width - 1);
    else bits.add(value < 2 ** (width - 1) ? value : value + short, width);
    left -= Math.abs(shares[i]!);
    i++;
    if (value !== 1) continue;
    let absent = 0;
    while (shares[i + absent] === 0) absent++;
    i += absent;
    for (; absent >= 3; absent -= 3) bits.add(3, 2);
    bits.add(absent, 2);
  }
  return bits.bytes();
}

const WINDOW = 7 << 3;
const frame = (block: readonly number[], before: readonly number[] = []) => [
  ...[0x28, 0xb5, 0x2f, 0xfd, 0, WINDOW],
  ...before,
  ...[5 | ((block.length << 3) & 255), (block.length >> 5) & 255, block.length >> 13],
  ...block,
];

function refusal(bytes: readonly number[], size: number): string {
  return refusalOf(() => decompressZstd(Uint8Array.from(bytes), new Uint8Array(size)));
}

/** Reads a frame as its own decoder does: the same bytes, or none; true where there are some. */
function compare(bytes: readonly number[]): boolean {
  const theirs = reference(bytes);
  if (theirs === null) {
    expect(refusal(bytes, 2 ** 17)).not.toMatch(/^fine$|a compressed buffer has/);
    return false;
  }
  const ours = new Uint8Array(theirs.length);
  decompressZstd(Uint8Array.from(bytes), ours);
  expect(Buffer.compare(ours, theirs)).toBe(0);
  return true;
}

function reference(bytes: readonly number[]): Uint8Array | null {
  try {
    return decompress(Buffer.from(bytes), { defaultHeapSize: 2 ** 18 });
  } catch {
    return null;
  }
}

/** Bits that are read from the last to the first, behind their end mark. */
const backward = (value: number, width: number) => new Bits().add(value, width).add(1, 1).bytes();
const noise = (i: number) => Math.imul(i + 1, 0x9e3779b1) >>> 4;

/** So many literals of the alphabet, raw. */
const literals = (count: number) => [
  4 | ((count << 4) & 255),
  count >> 4,
  ...Array.from({ length: count }, (_, i) => 97 + (i % 26)),
];

const TABLES: [string, number[], number][] = [
  ['two symbols', [20, 12], 5],
  ['one symbol beside absent ones', [0, 0, 0, 32], 5],
  ['rare symbols', [16, -1, -1, 7, 0, -1, 6], 5],
  ['many absent symbols', [30, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1], 5],
  ['absent symbols up to the last', [10, ...new Array<number>(34).fill(0), 22], 5],
  ['all symbols', [29, ...new Array<number>(35).fill(1)], 6],
  ['large shares', [200, 100, 56, 60, 90, 3, 3], 9],
];

describe('a table of literal lengths', () => {
  /** Sequences whose literal lengths have this table, and whose distances and match lengths are one symbol. */
  const block = (table: readonly number[], count: number, stream: readonly number[]) =>
    frame(
      [...literals(400), count, 0b1001_0100, ...table, 0, 0, ...stream],
      [5 << 3, 0, 0, ...Buffer.from('maize')],
    );

  test.each(TABLES)('leads from state to state as its own decoder has it: %s', (_, shares, log) => {
    const ends = { same: 0, refused: 0 };
    const table = tableOf(shares, log);
    for (let i = 0; i < 150; i++) {
      const width = log + (i % 3 === 0 ? 0 : noise(i) % 12);
      const value = noise(i + width) % 2 ** width;
      ends[compare(block(table, i % 3 === 0 ? 1 : 2, backward(value, width))) ? 'same' : 'refused']++;
    }
    expect(ends.same).toBeGreaterThan(5);
  });

  test('adds up, within its symbols', () => {
    const rest = backward(0, 5);
    const tooMany = [...new Array<number>(36).fill(0), 32];
    expect(refusal(block(tableOf(tooMany, 5), 1, rest), 500)).toContain(
      'its Zstandard table of symbols does not add up',
    );
    const last = [...new Array<number>(35).fill(0), 32];
    expect(refusal(block(tableOf(last, 5), 1, rest), 500)).not.toContain('add up');
    const absent = new Bits().add(0, 4).add(1, 5);
    for (let i = 0; i < 40; i++) absent.add(3, 2);
    expect(refusal(block(absent.bytes(), 1, rest), 500)).toContain('table of symbols does not add up');
  });

  test('ends within its block', () => {
    const cut = frame([...literals(4), 1, 0b1000_0000, 0]);
    expect(refusal(cut, 8)).toContain('table of symbols');
    const full = tableOf([2, 62], 6);
    expect(full).toHaveLength(2);
    expect(refusal(frame([...literals(4), 1, 0b1000_0000, ...full]), 8)).toContain('has no end mark');
    const whole = tableOf([20, 12], 5);
    for (let length = 0; length < whole.length; length++)
      expect(refusal(frame([...literals(4), 1, 0b1000_0000, ...whole.slice(0, length)]), 8)).toMatch(
        /its Zstandard (table of symbols is cut short|table of symbols does not add up|stream of bits has no end mark)/,
      );
  });
});

test.each([
  ['literal lengths', 0, 9],
  ['distances', 1, 8],
  ['match lengths', 2, 9],
])('tables of %s are no larger than they may be', (_, which, max) => {
  const table = (log: number) => {
    const modes = [1, 1, 1].with(which, 2).reduce((sum, mode) => sum * 4 + mode, 0) << 2;
    const described = tableOf([2 ** log - 8, 8], log);
    const symbols = [[0], [0], [0]].with(which, described).flat();
    return refusal(frame([...literals(400), 1, modes, ...symbols, ...backward(0, log)]), 500);
  };
  expect(table(max)).not.toContain('too large');
  expect(table(max + 1)).toContain('its Zstandard table of symbols is too large');
});

describe('a table of literals', () => {
  /** Literals behind a table, in one stream, and no sequences. */
  const block = (table: readonly number[], count: number, stream: readonly number[]) => {
    const size = table.length + stream.length;
    return frame([...new Bits().add(2, 4).add(count, 10).add(size, 10).bytes(), ...table, ...stream, 0]);
  };
  /** Weights in 4 bits each, the first of a byte in its upper half. */
  const direct = (weights: readonly number[]) => [
    127 + weights.length,
    ...Array.from(
      { length: Math.ceil(weights.length / 2) },
      (_, i) => (weights[2 * i]! << 4) | (weights[2 * i + 1] ?? 0),
    ),
  ];

  test.each([
    ['one bit each', [1]],
    ['one, two and two bits', [2, 1]],
    ['three lengths, an absent symbol', [0, 3, 2, 0, 1]],
    ['many of a length', [4, 1, 1, 1, 1, 2, 2, 3, 3, 0, 0]],
    ['eleven bits', [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
  ])('in plain weights gives codes of %s', (_, weights) => {
    const ends = { same: 0, refused: 0 };
    for (let i = 0; i < 200; i++) {
      const width = 1 + (noise(i) % 24);
      const stream = backward(noise(i + 7) % 2 ** width, width);
      ends[compare(block(direct(weights), 1 + (i % 6), stream)) ? 'same' : 'refused']++;
    }
    expect(ends.same).toBeGreaterThan(2);
    expect(ends.refused).toBeGreaterThan(2);
  });

  describe('for four streams', () => {
    const TEN_BITS = 1;
    const four = (count: number, lengths: readonly number[], streams: readonly number[], size?: number) => {
      const parts = [
        ...direct([1]),
        ...new Bits().add(lengths[0]!, 16).add(lengths[1]!, 16).add(lengths[2]!, 16).bytes(),
        ...streams,
      ];
      const head = new Bits()
        .add(2 | (TEN_BITS << 2), 4)
        .add(count, 10)
        .add(size ?? parts.length, 10);
      return [...head.bytes(), ...parts, 0];
    };
    const two = backward(0b10, 2);

    test('gives each a quarter, and the last what is left', () => {
      const seven = frame(four(7, [1, 1, 1], [...two, ...two, ...two, ...backward(0, 1)]));
      const eight = frame(four(8, [1, 1, 1], [...two, ...two, ...two, ...two]));
      const six = frame(four(6, [1, 1, 1], [...two, ...two, ...two, 1]));
      for (const bytes of [six, seven, eight]) expect(compare(bytes)).toBe(true);
    });

    test('has the lengths of three of them, within its literals', () => {
      const cut = 'its Zstandard block is cut short';
      expect(refusal(frame(four(5, [1, 1, 1], [...two, ...two, 3, 1])), 5)).toContain(cut);
      expect(refusal(frame(four(8, [0, 0, 0], [])), 8)).toContain('stream of bits has no end mark');
      expect(refusal(frame(four(8, [0, 0, 0], [], 7)), 8)).toContain(cut);
      expect(refusal(frame(four(8, [1, 1, 300], [...two, ...two, ...two, ...two])), 8)).toContain(cut);
      expect(refusal(frame(four(8, [1, 1, 2], [...two, ...two, ...two, ...two])), 8)).not.toContain(cut);
      expect(refusal(frame(four(8, [1, 1, 3], [...two, ...two, ...two, ...two])), 8)).toContain(cut);
    });
  });

  test('are no more than fit, and all within their block', () => {
    const more = 'its Zstandard block has more bytes than its buffer or its frame allows';
    const table = direct([1]);
    expect(refusal(block(table, 2, backward(2, 2)), 2)).toBe('fine');
    // Before the next fault, that the bits do not end.
    expect(refusal(block(table, 2, backward(2, 3)), 1)).toContain(more);
    const cut = (size: number) => frame([...new Bits().add(3, 4).add(2, 10).add(size, 10).bytes(), 0]);
    expect(refusal(cut(2), 2)).toContain('its Zstandard block is cut short');
    expect(refusal(cut(1), 2)).toContain('its Zstandard block has literals without a table');
  });

  test('adds up to a power of two', () => {
    const wrong = 'its Zstandard Huffman table does not add up';
    const stream = backward(0, 4);
    for (const weights of [[0], [0, 0, 0], [3, 1], [12], [12, 1]])
      expect(refusal(block(direct(weights), 4, stream), 4)).toContain(wrong);
    expect(refusal(block(direct([1]), 4, stream), 4)).toBe('fine');
    for (const weights of [[2], [0, 2, 3], [2, 2, 2]]) {
      const bytes = block(direct(weights), 4, stream);
      expect(refusal(bytes, 4)).toContain('its Zstandard Huffman table has no symbol of its longest code');
      expect(reference(bytes)).toBeNull();
    }
  });

  test('is within its literals', () => {
    expect(refusal(block([], 4, []), 4)).toContain('its Zstandard block is cut short');
    expect(refusal(block(direct([1]), 4, []), 4)).toContain('stream of bits has no end mark');
    expect(refusal(block([130], 4, [0x11]), 4)).toContain('its Zstandard block is cut short');
    expect(refusal(block([5], 4, [0, 0, 0, 0]), 4)).toContain('its Zstandard block is cut short');
  });

  test('in weights that are packed is read as its own decoder reads it', () => {
    const ends = { same: 0, refused: 0 };
    const shares: [number[], number][] = [
      [[8, 16, 8], 5],
      [[10, 10, 10, 1, 1], 5],
      [[31, 20, 12, -1], 6],
      [[16, 16], 5],
    ];
    for (const [share, log] of shares) {
      const table = tableOf(share, log);
      for (let i = 0; i < 500; i++) {
        const width = 2 * log + (noise(i) % 20);
        const weights = [...table, ...backward(noise(i + 3) % 2 ** Math.min(width, 28), width)];
        const bits = 8 + (noise(i + 5) % 8);
        const packed = block([weights.length, ...weights], 2 + (i % 5), backward(noise(i) % 2 ** bits, bits));
        ends[compare(packed) ? 'same' : 'refused']++;
      }
    }
    expect(ends.same).toBeGreaterThan(10);
    expect(ends.refused).toBeGreaterThan(100);
  });

  test('has no weights above 11, and no larger table of them', () => {
    const packed = (weights: readonly number[]) =>
      refusal(block([weights.length, ...weights], 4, backward(0, 4)), 4);
    expect(packed([...tableOf([2 ** 7 - 8, 8], 7), ...backward(0, 14)])).toContain(
      'table of symbols is too large',
    );
    expect(packed([...tableOf([2 ** 6 - 8, 8], 6), ...backward(0, 12)])).not.toContain('too large');
    const high = [...new Array<number>(12).fill(0), 32];
    expect(packed([...tableOf(high, 5), ...backward(0, 10)])).toContain('table of symbols does not add up');
    expect(packed([...tableOf(high.slice(1), 5), ...backward(0, 10)])).not.toContain('table of symbols');
  });

  test('has at most 256 symbols', () => {
    // Two symbols of 0 bits each, which never come to the end of their bits.
    const endless = [...tableOf([32], 5), ...backward(0, 10)];
    const many = 'its Zstandard Huffman table has too many symbols';
    expect(refusal(block([endless.length, ...endless], 4, backward(0, 4)), 4)).toContain(many);
    // Weights of 0 or 1 in a bit each, behind two states of 5 bits, and the last that is left.
    const refused = (weights: number) => {
      const texts = Array.from({ length: 40 }, (_, seed) => {
        const bits = new Bits();
        for (let i = 0; i < weights - 2 + 10; i++) bits.add(noise(i + 999 * seed) >> 9, 1);
        const packed = [...tableOf([16, 16], 5), ...bits.add(1, 1).bytes()];
        return refusal(block([packed.length, ...packed], 4, backward(0, 4)), 4);
      });
      return (what: string) => texts.filter((text) => text.includes(what)).length;
    };
    const wrong = 'its Zstandard Huffman table does not add up';
    expect(refused(255)(wrong)).toBeLessThan(40);
    expect(refused(256)(wrong)).toBe(40);
    expect(refused(257)(wrong)).toBe(40);
    expect(refused(258)(many)).toBe(40);
  });
});
