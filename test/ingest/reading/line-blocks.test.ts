import { describe, expect, it } from 'vitest';
import { type LineBlock, readLineBlocks, splitLines } from '../../../src/ingest/reading/delimited.js';

async function blocks(...pieces: (string | Uint8Array)[]): Promise<LineBlock[]> {
  const chunks = (async function* () {
    for (const piece of pieces) yield Buffer.from(piece as string);
  })();
  const found: LineBlock[] = [];
  for await (const block of readLineBlocks(chunks)) found.push(block);
  return found;
}

describe('blocks of lines', () => {
  it('are whole lines, numbered, whatever the pieces', async () => {
    expect(await blocks('a\nb', 'c', '\n', 'd\ne\nf')).toEqual([
      { text: 'a\n', firstLine: 1 },
      { text: 'bc\n', firstLine: 2 },
      { text: 'd\ne\n', firstLine: 3 },
      { text: 'f', firstLine: 5 },
    ]);
    expect(await blocks()).toEqual([]);
    expect(await blocks('a\n')).toEqual([{ text: 'a\n', firstLine: 1 }]);
  });

  it('lose the byte order mark of their text, and no other', async () => {
    expect(await blocks('\uFEFFa\n', '\uFEFFb\n')).toEqual([
      { text: 'a\n', firstLine: 1 },
      { text: '\uFEFFb\n', firstLine: 2 },
    ]);
  });

  it('have line feeds in place of carriage returns, only where the first line has no line feed', async () => {
    const texts = async (...pieces: string[]) => (await blocks(...pieces)).map(({ text }) => text).join('¦');
    expect(await texts('a\rb\r', 'c\r')).toBe('a\nb\n¦c\n');
    expect(await texts('a\r', '\nb\rc\n')).toBe('a\r\n¦b\rc\n'.replace('¦', ''));
    expect(await texts('a\r')).toBe('a\n');
    expect(await texts('ab', 'c\rd\r')).toBe('abc\nd\n');
    expect(await texts('a\n', 'b\rc\n')).toBe('a\n¦b\rc\n');
    expect(await texts('a\n', 'b\rc', '\nd\n')).toBe('a\n¦b\rc\nd\n');
    expect(await texts('\r', '\na\rb\n')).toBe('\r\na\rb\n');
    expect(await texts('\ra', '\rb')).toBe('\n¦a\n¦b');
  });

  it('are decoded as Windows-1252 where they are not UTF-8', async () => {
    const latin = Buffer.from([0x43, 0xf4, 0x74, 0x65, 0x0a]);
    expect((await blocks('é\n', latin)).map(({ text }) => text)).toEqual(['é\n', 'Côte\n']);
  });

  it('keep their letters where other lines of their block are not UTF-8', async () => {
    const latin = Buffer.from('Côte\n', 'latin1');
    const mixed = Buffer.concat([Buffer.from('\uFEFFPerú\n'), latin, Buffer.from('Curaçao\r\n')]);
    expect((await blocks(mixed)).map(({ text }) => text)).toEqual(['Perú\nCôte\nCuraçao\r\n']);
    const unended = Buffer.concat([latin, Buffer.from('Perú')]);
    expect((await blocks(unended)).map(({ text }) => text)).toEqual(['Côte\n', 'Perú']);
  });

  it('end at a line of more than 16 MB, by its number', async () => {
    const long = new Uint8Array(8_000_000).fill(120);
    expect(await blocks('a\n', long, long)).toHaveLength(2);
    await expect(blocks('a\n', long, long, 'y')).rejects.toMatchObject({ line: 2 });
    expect(await blocks(long, '\n', long, '\n', 'z')).toHaveLength(3);
  });

  it('have lines without their ends', () => {
    const lines = [...splitLines({ text: 'a\r\n\n\rb\nc', firstLine: 7 })];
    expect(lines).toEqual([
      { text: 'a', line: 7 },
      { text: '', line: 8 },
      { text: '\rb', line: 9 },
      { text: 'c', line: 10 },
    ]);
    expect([...splitLines({ text: 'd\r', firstLine: 1 })]).toEqual([{ text: 'd', line: 1 }]);
    expect([...splitLines({ text: '\ne\n', firstLine: 1 })]).toEqual([
      { text: '', line: 1 },
      { text: 'e', line: 2 },
    ]);
  });
});
