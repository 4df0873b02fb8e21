import { describe, expect, it } from 'vitest';
import { describeFirstLine, firstLine, peekText } from '../../../src/ingest/reading/peek.js';

describe('describeFirstLine', () => {
  const decoded = (bytes: Uint8Array): string => firstLine(new TextDecoder().decode(bytes));

  it.each([
    ['with a byte order mark', '\uFEFFArea,Item\n1,2\n', false],
    ['without one', 'Area,Item\n1,2\n', false],
    ['with the high byte first', '\uFEFFArea,Item\n1,2\n', true],
    ['with the high byte first and no mark', 'Area,Item\n1,2\n', true],
  ])('says how to save text in UTF-16 %s', (_, text, isBigEndian) => {
    const bytes = Buffer.from(text, 'utf16le');
    expect(describeFirstLine(decoded(isBigEndian ? bytes.swap16() : bytes))).toMatch(
      /UTF-16; save it as UTF-8/,
    );
  });

  it('shows text, and says of other bytes that they are none', () => {
    expect(describeFirstLine(decoded(Buffer.from('Fläche,Wert\r\n')))).toBe(
      'its first line is "Fläche,Wert"',
    );
    expect(describeFirstLine(decoded(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0)))).toBe('it is not text');
  });
});

describe('the beginning of a text', () => {
  it('is looked at, and the whole text still read', async () => {
    let isClosed = false;
    const chunks = (async function* () {
      try {
        yield Buffer.from(' a,b \n1');
        yield Buffer.from(',2\n');
      } finally {
        isClosed = true;
      }
    })();
    const peeked = await peekText(chunks);
    expect([peeked.head, peeked.sample]).toEqual(['a,b', ' a,b \n1']);
    const parts: string[] = [];
    for await (const chunk of peeked.chunks) parts.push(Buffer.from(chunk).toString());
    expect(parts.join('|')).toBe(' a,b \n1|,2\n');
    expect(isClosed).toBe(true);
  });

  it('is empty for an empty text, and the text is closed by whoever leaves it', async () => {
    const none = (async function* (): AsyncGenerator<Uint8Array> {})();
    expect(await peekText(none)).toMatchObject({ head: '', sample: '' });
    const plain: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
    };
    for await (const chunk of (await peekText(plain)).chunks) expect(chunk).toHaveLength(0);
    let isClosed = false;
    const endless = (async function* () {
      try {
        for (;;) yield Buffer.from('x\n');
      } finally {
        isClosed = true;
      }
    })();
    for await (const _ of (await peekText(endless)).chunks) break;
    expect(isClosed).toBe(true);
  });

  it('is shortened in messages', () => {
    expect(describeFirstLine('x'.repeat(120))).toBe(`its first line is "${'x'.repeat(120)}"`);
    expect(describeFirstLine('x'.repeat(121), 'it has')).toBe(`it has "${'x'.repeat(120)}…"`);
    expect(describeFirstLine('a\tb')).toBe('its first line is "a\tb"');
    expect(describeFirstLine('a\0')).toBe('it is not text');
    expect(describeFirstLine('Fläche \0a\0b\0c')).toBe('it is not text');
    expect(firstLine('\na')).toBe('');
  });
});
