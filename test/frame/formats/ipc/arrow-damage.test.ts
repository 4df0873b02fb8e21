import { Float64, RecordBatchStreamWriter, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromArrow } from '../../../../src/frame/formats/read-arrow.js';
import { frame } from '../../../../src/frame/frame.js';
import { countRuns } from '../../../endurance.js';
import { dictionaryBatches, everyType, ownFrame, rowTexts, TABLES } from '../arrow-tables.js';
import { CODECS, compressedArrow } from '../compressed-arrow.js';
import { find, messagesOf, readOrRefusal, refusal } from './refusal.js';

/** Of the positions of bytes; it is odd, so that every place of a word is tried. */
const STRIDE = countRuns({ quick: 25, all: 5 });

const FORMS = ['file', 'stream'] as const;
const OWN = { file: frame(ownFrame).toArrow(), stream: frame(ownFrame).toArrow({ format: 'stream' }) };

/** A copy with some bytes changed. */
function withBytes(bytes: Uint8Array, changes: readonly (readonly [at: number, byte: number])[]): Uint8Array {
  const copy = bytes.slice();
  for (const [at, byte] of changes) copy[at % copy.length] = byte;
  return copy;
}

describe('intact Arrow IPC', () => {
  const cases = Object.entries(TABLES).flatMap(([name, table]) =>
    FORMS.map((form) => [name, form, table] as const),
  );

  test.each(cases)('%s round-trips through a %s', (_, form, table) => {
    const bytes = tableToIPC(table, form);
    const read = fromArrow(bytes);
    expect(String(read.schema)).toBe(String(table.schema));
    expect(rowTexts(read)).toEqual(rowTexts(table));
    expect(read.numRows).toBe(table.numRows);
  });

  test('delta and replacement dictionaries apply to each batch', () => {
    const words = (change: 'delta' | 'replacement') =>
      rowTexts(fromArrow(tableToIPC(dictionaryBatches(change), 'stream'))).map((row) => JSON.parse(row).word);
    expect(words('delta')).toEqual(['a', 'b', 'a', 'c']);
    expect(words('replacement')).toEqual(['a', 'b', 'c', 'c']);
  });

  test('reads a stream of Arrow before 0.15, without continuation markers', () => {
    const bytes = RecordBatchStreamWriter.writeAll(everyType, { writeLegacyIpcFormat: true }).toUint8Array(
      true,
    );
    expect(new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true)).toBeGreaterThan(0);
    expect(rowTexts(fromArrow(bytes))).toEqual(rowTexts(everyType));
  });

  test.each(FORMS)('reads a %s at any offset of its buffer', (form) => {
    const memory = new Uint8Array(OWN[form].length + 3);
    memory.set(OWN[form], 3);
    expect(rowTexts(fromArrow(memory.subarray(3)))).toEqual(rowTexts(ownFrame));
  });
});

describe('counts of nulls', () => {
  const nullsOf = (table: Table, name: string) => [...table.getChild(name)!].map((value) => value === null);
  /** The Arrow columns of the frame that are numbers: each has one null, at another row. */
  const WITH_NULLS = ['value', 'reporting_date'];
  const messages = messagesOf(OWN.stream);
  const last = messages.findLastIndex((message) => message.length > 8);
  const before = messages.slice(0, last).reduce((sum, message) => sum + message.length, 0);
  const metadataEnd =
    before + 8 + new DataView(OWN.stream.buffer, OWN.stream.byteOffset + before).getInt32(4, true);

  test('that any byte of a batch changes are refused, and never move, add or remove a null', () => {
    let read = 0;
    for (let at = before + 8; at < metadataEnd; at += STRIDE) {
      for (const byte of [0, 1, 2, 6, 255]) {
        const bytes = withBytes(OWN.stream, [[at, byte]]);
        const table = readOrRefusal(bytes);
        if (typeof table === 'string') continue;
        read++;
        for (const name of WITH_NULLS)
          expect(nullsOf(table, name), `byte ${at}: ${byte}`).toEqual(nullsOf(ownFrame, name));
      }
    }
    expect(read).toBeGreaterThan(10);
  });

  test.each([...FORMS, ...CODECS])('are compared with the bitmap: %s', (form) => {
    const rows = Array.from({ length: 512 }, (_, row) => (row === 7 ? null : row / 4));
    const table = new Table({ value: vectorFromArray(rows, new Float64()) });
    const isForm = form === 'file' || form === 'stream';
    const bytes = isForm ? tableToIPC(table, form) : compressedArrow(table, 'stream', form);
    const node = new Uint8Array(BigInt64Array.of(512n, 1n).buffer);
    const count = find(bytes, node) + 8;
    expect(nullsOf(fromArrow(bytes), 'value').indexOf(true)).toBe(7);
    for (const stated of [0, 2, 200])
      expect(refusal(withBytes(bytes, [[count, stated]]))).toContain(
        `: column "value" claims to have ${stated} nulls, but its bitmap has 1;`,
      );
    // -1 is what writers state who do not count: the reader would ignore the bitmap.
    const uncounted = Array.from({ length: 8 }, (_, i) => [count + i, 255] as const);
    expect(refusal(withBytes(bytes, uncounted))).toMatch(/claims to have -1 nulls, but its bitmap has 1/);
  });
});

describe('damaged Arrow IPC', () => {
  const bases = [ownFrame, everyType, TABLES['every type in several batches']!, dictionaryBatches('delta')];
  const anyByte = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 127, 128, 255));
  const anyChanges = fc.array(fc.tuple(fc.nat(1_000_000), anyByte), { minLength: 1, maxLength: 4 });

  test.each(FORMS)('a %s with changed bytes is read or refused, and never loops', (form) => {
    const ends = { read: 0, refused: 0 };
    for (const base of bases) {
      const bytes = tableToIPC(base, form);
      fc.assert(
        fc.property(anyChanges, (changes) => {
          ends[typeof readOrRefusal(withBytes(bytes, changes)) === 'string' ? 'refused' : 'read']++;
        }),
        { numRuns: countRuns({ quick: 25, all: 600 }), seed: 20_240_506 },
      );
    }
    expect(ends.read).toBeGreaterThan(20);
    expect(ends.refused).toBeGreaterThan(40);
  });

  test('every row of a damaged file that is read is readable', () => {
    const [bytes, walked] = [tableToIPC(TABLES['every type in several batches']!, 'file'), [] as number[]];
    fc.assert(
      fc.property(anyChanges, (changes) => {
        const table = readOrRefusal(withBytes(bytes, changes));
        if (typeof table === 'string') return;
        for (const name of ['list', 'listOfStructs', 'map', 'struct', 'text', 'dictionary']) {
          const column = table.getChild(name);
          for (let row = 0; row < table.numRows; row++) walked.push(String(column?.get(row) ?? '').length);
        }
      }),
      { numRuns: countRuns({ quick: 20, all: 300 }), seed: 7 },
    );
    expect(walked.length).toBeGreaterThan(200);
  });

  test('refuses a truncated file', () => {
    for (let length = 0; length < OWN.file.length; length += STRIDE) {
      expect(readOrRefusal(OWN.file.subarray(0, length)), `${length} bytes`).toBeTypeOf('string');
    }
  });

  test('refuses a stream truncated within a message', () => {
    const step = countRuns({ quick: 12, all: 1 });
    const read = Array.from({ length: OWN.stream.length / step }, (_, i) =>
      readOrRefusal(OWN.stream.subarray(0, i * step)),
    );
    const whole = read.filter((end) => typeof end !== 'string');
    const messages = messagesOf(OWN.stream).length;
    expect(whole.length).toBeGreaterThan(0);
    expect(whole.length).toBeLessThanOrEqual(messages);
  });
});
