import { expect } from 'vitest';

const ELEMENT = /<(\/?)([a-z][a-zA-Z]*)((?: [\w:-]+="[^"<]*")*)(\/?)>/g;

/**
 * Fails unless the text is well-formed XML of elements and character data, without stray brackets or ampersands.
 * @returns the text contents of the elements, by name and in order
 */
export function parseSvg(svg: string): Map<string, string[]> {
  const contents = new Map<string, string[]>();
  const open: { name: string; from: number }[] = [];
  let end = 0;
  for (const match of svg.matchAll(ELEMENT)) {
    expectCharacterData(svg.slice(end, match.index));
    end = match.index + match[0].length;
    const [, closing, name, attributes, empty] = match as unknown as [string, string, string, string, string];
    expectCharacterData(attributes);
    if (closing === '/') {
      const opened = open.pop();
      expect(opened?.name).toBe(name);
      contents.set(name, [...(contents.get(name) ?? []), svg.slice(opened!.from, match.index)]);
    } else if (empty === '') {
      open.push({ name, from: end });
    }
  }
  expect(open).toEqual([]);
  expect(svg.slice(end)).toBe('');
  return contents;
}

function expectCharacterData(text: string): void {
  expect(text.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[<&]/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
  expect(text).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/);
}
