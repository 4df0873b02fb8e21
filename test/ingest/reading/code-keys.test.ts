import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodeKeys, GroupedBounds, KnownTexts } from '../../../src/ingest/reading/code-keys.js';
import { DelimitedRecords } from '../../../src/ingest/reading/delimited.js';

type Row = [codes: Uint8Array | Uint16Array, bounds: Int32Array];

/** The texts with something between them, as the fields of a row have. */
function rowOf(texts: readonly string[], isWide: boolean): Row {
  const text = texts.map((one) => `,${one}`).join('');
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  const bounds: number[] = [];
  for (const [i, one] of texts.entries()) {
    const start = i === 0 ? 1 : bounds.at(-1)! + 1;
    bounds.push(start, start + one.length);
  }
  return [isWide ? Uint16Array.from(codes) : Uint8Array.from(codes), Int32Array.from(bounds)];
}

const numberOf = (keys: CodeKeys, row: Row): number => {
  const found = keys.find(...row);
  return found < 0 ? keys.add(...row) : found;
};

describe('CodeKeys', () => {
  it('numbers distinct keys in order of appearance, whatever their order and the width of their codes', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\0', '\x01'), maxLength: 3 });
    const rows = fc.array(fc.tuple(fc.tuple(text, text), fc.boolean()), { maxLength: 200 });
    fc.assert(
      fc.property(rows, (given) => {
        const keys = new CodeKeys();
        const expected = new Map<string, number>();
        for (const [texts, isWide] of given) {
          const key = JSON.stringify(texts);
          if (!expected.has(key)) expected.set(key, expected.size);
          expect(numberOf(keys, rowOf(texts, isWide))).toBe(expected.get(key));
        }
      }),
    );
  });

  it('finds each of many keys again, in order and in reverse', () => {
    const keys = new CodeKeys();
    const rows = Array.from({ length: 5_000 }, (_, i) => rowOf([`USC${i}`, 'TMAX'], false));
    expect(rows.map((row) => numberOf(keys, row))).toEqual(rows.map((_, i) => i));
    expect(rows.map((row) => keys.find(...row))).toEqual(rows.map((_, i) => i));
    expect(rows.toReversed().map((row) => keys.find(...row))).toEqual(rows.map((_, i) => 4_999 - i));
  });

  it('knows no key at first, nor one that is only begun like another', () => {
    const keys = new CodeKeys();
    expect(keys.find(...rowOf(['', ''], false))).toBe(-1);
    expect(keys.add(...rowOf(['ab', 'c'], false))).toBe(0);
    for (const texts of [
      ['a', 'c'],
      ['ab', ''],
      ['abc', ''],
      ['bb', 'c'],
      ['ab', 'd'],
      ['', 'abc'],
    ]) {
      expect(keys.find(...rowOf(texts, false))).toBe(-1);
    }
    expect(keys.find(...rowOf(['ab', 'c'], false))).toBe(0);
  });

  it('finds a key wherever it lies in a block, and whatever follows it', () => {
    const keys = new CodeKeys();
    const codes = Uint16Array.from('ab;cd,xyz,ab,cd!', (character) => character.charCodeAt(0));
    const far = new Uint16Array(1_000 + codes.length);
    far.set(codes, 1_000);
    expect(keys.add(far, Int32Array.of(1_000, 1_002, 1_003, 1_005))).toBe(0);
    expect(keys.add(far, Int32Array.of(1_006, 1_009, 1_010, 1_012))).toBe(1);
    expect(keys.find(codes, Int32Array.of(0, 2, 3, 5))).toBe(0);
    expect(keys.find(codes, Int32Array.of(6, 9, 10, 12))).toBe(1);
    expect(keys.find(codes, Int32Array.of(10, 12, 13, 15))).toBe(0);
  });

  it('does not keep a key of more than 256 codes, one of which is the length of each text', () => {
    const keys = new CodeKeys();
    for (const length of [256, 300]) {
      const row = rowOf(['a'.repeat(length)], false);
      expect([keys.add(...row), keys.find(...row)]).toEqual([-1, -1]);
    }
    const row = rowOf(['a'.repeat(255)], false);
    expect([keys.add(...row), keys.find(...row)]).toEqual([0, 0]);
  });

  it('tells keys apart that have one hash', () => {
    const keys = new CodeKeys();
    expect(keys.add(...rowOf(['k32728'], false))).toBe(0);
    expect(keys.find(...rowOf(['k261234'], false))).toBe(-1);
    expect(keys.add(...rowOf(['k261234'], false))).toBe(1);
    expect(keys.find(...rowOf(['k32728'], false))).toBe(0);
    expect(keys.find(...rowOf(['k261234'], false))).toBe(1);
  });

  it('keeps 262,144 keys', () => {
    const keys = new CodeKeys();
    const bounds = Int32Array.of(0, 2);
    const codes = (key: number): Uint16Array => Uint16Array.of(key & 0xffff, key >> 16);
    let kept = 0;
    for (let key = 0; key < 262_144; key++) if (keys.add(codes(key), bounds) === key) kept++;
    expect(kept).toBe(262_144);
    expect([keys.add(codes(262_144), bounds), keys.find(codes(262_144), bounds)]).toEqual([-1, -1]);
    expect(keys.find(codes(262_143), bounds)).toBe(262_143);
    expect(keys.find(codes(0), bounds)).toBe(0);
  });
});

describe('KnownTexts', () => {
  /** Learns or finds the value of a text between bounds that are filled anew. */
  function known() {
    const bounds = new Int32Array(2);
    const values = new KnownTexts<string>(bounds);
    const read = (text: string): Uint8Array => {
      bounds.set([1, 1 + text.length]);
      return Uint8Array.from(`,${text},`, (character) => character.charCodeAt(0));
    };
    return {
      find: (text: string) => values.find(read(text)),
      learn: (text: string, value: string) => values.learn(read(text), value),
    };
  }

  it('finds the first value of each text, and of the empty one', () => {
    const { find, learn } = known();
    expect(find('corn')).toBeUndefined();
    learn('corn', 'first');
    learn('', 'empty');
    learn('corn', 'second');
    learn('wheat', 'third');
    expect(['wheat', 'corn', '', 'rye'].map(find)).toEqual(['third', 'first', 'empty', undefined]);
  });

  it('takes room for a text once, however often it is learned', () => {
    const { find, learn } = known();
    for (let i = 0; i < 262_144; i++) learn('corn', 'yellow');
    learn('wheat', 'gold');
    expect(find('wheat')).toBe('gold');
  });

  it('keeps no value of a text that is not kept, and those after it as they are', () => {
    const { find, learn } = known();
    learn('x'.repeat(300), 'long');
    learn('corn', 'short');
    expect(['x'.repeat(300), 'corn'].map(find)).toEqual([undefined, 'short']);
  });
});

describe('GroupedBounds', () => {
  it('has the bounds of each group, where the record has all fields and no doubled quotes', () => {
    const records = new DelimitedRecords({ delimiter: ',', quotes: true });
    records.open({ text: 'a,bc,"d",e\na,bc,d\na,"b""c",d,e\n"b""c",x,yz,\n', firstLine: 1 });
    const bounds = new GroupedBounds(4, [[2], [], [1, 3]]);
    const found: (string[][] | null)[] = [];
    while (records.next()) {
      const texts = (group: Int32Array) =>
        Array.from({ length: group.length / 2 }, (_, i) =>
          String.fromCharCode(...records.codes.subarray(group[2 * i], group[2 * i + 1])),
        );
      found.push(bounds.find(records) ? bounds.groups.map(texts) : null);
    }
    expect(found).toEqual([[['d'], [], ['bc', 'e']], null, null, [['yz'], [], ['x', '']]]);
  });
});
