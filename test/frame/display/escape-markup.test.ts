import { expect, test } from 'vitest';
import { escapeMarkup } from '../../../src/frame/display/escape-markup.js';

test('the five special characters become entities', () => {
  expect(escapeMarkup(`<a href="x">d'Ivoire & co</a>`)).toBe(
    '&lt;a href=&quot;x&quot;&gt;d&#39;Ivoire &amp; co&lt;/a&gt;',
  );
});

test('characters that XML forbids are replaced', () => {
  expect(escapeMarkup('a\u0000b\uD800c\td')).toBe('a\uFFFDb\uFFFDc\td');
});
