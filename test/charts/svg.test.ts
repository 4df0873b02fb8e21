import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { element, linePath, textElement } from '../../src/charts/svg.js';
import { parseSvg } from './well-formed.js';

describe('element', () => {
  it('writes attributes and children, and omits undefined attributes', () => {
    expect(element('g', { x: 1.005, dash: undefined, fill: '#fff' }, element('rect', { width: 1 / 3 }))).toBe(
      '<g x="1" fill="#fff"><rect width="0.33"/></g>',
    );
  });

  it('is well-formed for any text, which is read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const svg = textElement('text', { id: text }, text);
        const [content] = parseSvg(svg).get('text')!;
        const read = content!
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&');
        expect(read).toBe(text.replace(/[^\P{Cc}\t\n\r]|\p{Cs}|[\uFFFE\uFFFF]/gu, '\uFFFD'));
      }),
    );
  });
});

describe('linePath', () => {
  it('has a gap at a missing value', () => {
    expect(linePath([0, 1, 2, 3, 4], [5, 6, Number.NaN, 7, 8])).toBe('M0,5L1,6M3,7L4,8');
    expect(linePath([0], [Number.NaN])).toBe('');
  });
});
