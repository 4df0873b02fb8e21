import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readDelimited, readLineBlocks, WHOLE_LINES } from '../../../src/ingest/reading/delimited.js';

async function blocks(...pieces: (string | Uint8Array)[]): Promise<string[]> {
  const chunks = (async function* () {
    for (const piece of pieces) yield Buffer.from(piece as string);
  })();
  const found: string[] = [];
  for await (const block of readLineBlocks(chunks)) found.push(block);
  return found;
}

describe('blocks of lines', () => {
  it('are whole lines, whatever the pieces', async () => {
    expect(await blocks('a\nb', 'c', '\n', 'd\ne\nf')).toEqual(['a\n', 'bc\n', 'd\ne\n', 'f']);
    expect(await blocks()).toEqual([]);
    expect(await blocks('a\n')).toEqual(['a\n']);
  });

  it('lose the byte order mark of their text, and no other', async () => {
    expect(await blocks('\uFEFFa\n', '\uFEFFb\n')).toEqual(['a\n', '\uFEFFb\n']);
  });

  it('have line feeds in place of carriage returns, only where the first line has no line feed', async () => {
    const texts = async (...pieces: string[]) => (await blocks(...pieces)).join('¦');
    expect(await texts('a\rb\r', 'c\r')).toBe('a\nb\n¦c\n');
    expect(await texts('a\r')).toBe('a\n');
    expect(await texts('ab', 'c\rd\r')).toBe('abc\nd\n');
    expect(await texts('a\n', 'b\rc\n')).toBe('a\n¦b\rc\n');
    expect(await texts('a\n', 'b\rc', '\nd\n')).toBe('a\n¦b\rc\nd\n');
    expect(await texts('\ra', '\rb')).toBe('\n¦a\n¦b');
  });

  it('are decoded as Windows-1252 where they are not UTF-8', async () => {
    const latin = Buffer.from([0x43, 0xf4, 0x74, 0x65, 0x0a]);
    expect(await blocks('é\n', latin)).toEqual(['é\n', 'Côte\n']);
    const marks = Buffer.from([0x80, 0x85, 0x92, 0x96, 0x9f, 0x81, 0x0a]);
    expect(await blocks(marks)).toEqual(['€…’–Ÿ\u0081\n']);
  });

  it('keep their letters where other lines of their block are not UTF-8', async () => {
    const latin = Buffer.from('Côte\n', 'latin1');
    const mixed = Buffer.concat([Buffer.from('\uFEFFPerú\n'), latin, Buffer.from('Curaçao\r\n')]);
    expect(await blocks(mixed)).toEqual(['Perú\nCôte\nCuraçao\r\n']);
    const unended = Buffer.concat([latin, Buffer.from('Perú')]);
    expect(await blocks(unended)).toEqual(['Côte\n', 'Perú']);
  });

  it('end at a line of more than 16 MB, by its number', async () => {
    const long = new Uint8Array(8_000_000).fill(120);
    expect(await blocks('a\n', long, long)).toHaveLength(2);
    await expect(blocks('a\n', long, long, 'y')).rejects.toMatchObject({ line: 2 });
    expect(await blocks(long, '\n', long, '\n', 'z')).toHaveLength(3);
  });

  it('have lines without their ends, numbered, and no empty ones', async () => {
    const lines = async (whole: string) => {
      const chunks = Readable.from([Buffer.from(whole)]);
      const found: unknown[] = [];
      for await (const { fields, line, text } of readDelimited(chunks, WHOLE_LINES))
        found.push([...fields, line, text]);
      return found;
    };
    expect(await lines('"a,\t\r\n\n\rb\nc')).toEqual([
      ['"a,\t', 1, '"a,\t'],
      ['\rb', 3, '\rb'],
      ['c', 4, 'c'],
    ]);
    expect(await lines('d\r')).toEqual([['d', 1, 'd']]);
    expect(await lines('\ne\n')).toEqual([['e', 2, 'e']]);
  });
});
