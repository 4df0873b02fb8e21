import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { escapeMarkup, visibleLine, visibleText } from '../../../src/frame/display/escape-text.js';

const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Texts with many of the characters that terminals obey. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('\u001b]0;x\u0007', '\u009b2J', '\u007f', '\u202e', '\u2066', '\r', '\n'),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(''));

describe('text for people', () => {
  it('shows control characters as what they are, and keeps tabs and line ends', () => {
    expect(visibleText('a\u001b]0;owned\u0007b\u009b31m\u007f\u202e\tc\r\nd\re\n')).toBe(
      'a\\x1b]0;owned\\x07b\\x9b31m\\x7f\\u202e\tc\r\nd\\x0de\n',
    );
    expect(visibleLine('a\r\n\tb\u2028c')).toBe('a b\\u2028c');
  });

  it('keeps what people read: letters, marks, emoji, right-to-left words', () => {
    const words = 'Größe 水稻 ذرة עברית ☘️ 👩‍🌾 ½ °C — “x”';
    expect(visibleText(words)).toBe(words);
  });

  it('holds no character that a terminal obeys', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(visibleText(any).replace(/\r\n|[\n\t]/g, '')).not.toMatch(UNSEEN);
        expect(visibleLine(any)).not.toMatch(UNSEEN);
      }),
    );
  });
});

test('the five special characters become entities', () => {
  expect(escapeMarkup(`<a href="x">d'Ivoire & co</a>`)).toBe(
    '&lt;a href=&quot;x&quot;&gt;d&#39;Ivoire &amp; co&lt;/a&gt;',
  );
});

test('characters that XML forbids are replaced', () => {
  expect(escapeMarkup('a\u0000b\uD800c\td')).toBe('a\uFFFDb\uFFFDc\td');
});
