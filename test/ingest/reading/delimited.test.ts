import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DamagedTextError, readDelimited } from '../../../src/ingest/reading/delimited.js';

const CSV = { delimiter: ',', quotes: true };

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(
  text: string | Uint8Array,
  { size = 7, format = CSV } = {},
): Promise<{ rows: string[][]; lines: number[] }> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const all = { rows: [] as string[][], lines: [] as number[] };
  for await (const { fields, line } of readDelimited(pieces(bytes, size), format)) {
    all.rows.push([...fields]);
    all.lines.push(line);
  }
  return all;
}

/** The same, one character after the other. Null where a quote is never closed. */
function readSlowly(text: string): { rows: string[][]; lines: number[] } | null {
  const all = { rows: [] as string[][], lines: [] as number[] };
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  const lineAt = (at: number) => whole.slice(0, at).split('\n').length;
  for (let at = 0; at < whole.length; ) {
    const empty = /^\r?\n/.exec(whole.slice(at));
    if (empty !== null) {
      at += empty[0].length;
      continue;
    }
    all.lines.push(lineAt(at));
    const row: string[] = [];
    for (let end = ','; end === ','; at++) {
      const quoted = /^"((?:[^"]|"")*)"(?!")/.exec(whole.slice(at));
      if (quoted === null && whole[at] === '"') return null;
      at += quoted?.[0].length ?? 0;
      const [plain] = /^[^,\n]*/.exec(whole.slice(at))!;
      at += plain.length;
      end = whole[at]!;
      const tail = end === '\n' ? plain.replace(/\r$/, '') : plain;
      row.push((quoted?.[1] ?? '').replaceAll('""', '"') + tail);
    }
    all.rows.push(row);
  }
  return all;
}

describe('delimitedRows', () => {
  it('reads hostile texts as a plain reader does, in pieces of any size', async () => {
    const part = fc.constantFrom('a', 'bc', '"', '""', '","', ',', '\n', '\r\n', '\r\n\r\n', 'é', ' ');
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 40, size: 'max' }),
        fc.integer({ min: 1, max: 30 }),
        async (parts, size) => {
          const text = `x,"y"\n${parts.join('')}`;
          const expected = readSlowly(text);
          if (expected === null) await expect(read(text, { size })).rejects.toThrow(DamagedTextError);
          else expect(await read(text, { size })).toEqual(expected);
        },
      ),
    );
  });

  it('keeps quotes in formats without quoting', async () => {
    const { rows } = await read('a\t"b\n1\t2"\n', { format: { delimiter: '\t', quotes: false } });
    expect(rows).toEqual([
      ['a', '"b'],
      ['1', '2"'],
    ]);
  });

  it('reports the line of a quote that is never closed', async () => {
    const attempt = read('a,b\n1,2\n3,"4\n5,6\n');
    await expect(attempt).rejects.toThrow(DamagedTextError);
    await expect(attempt).rejects.toMatchObject({ line: 3, message: 'a quoted field is never closed' });
  });

  it('ends at a quoted field or a line beyond the maximum length', async () => {
    async function* endless(text: string): AsyncGenerator<Uint8Array> {
      for (;;) yield new TextEncoder().encode(text.repeat(100_000));
    }
    const drain = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const _ of readDelimited(chunks, CSV));
    };
    async function* unclosed(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode('a\n"');
      yield* endless('no end\n');
    }
    await expect(drain(unclosed())).rejects.toMatchObject({ line: 2 });
    await expect(drain(endless('no line feed'))).rejects.toMatchObject({
      message: 'a line is longer than 16 MB',
    });
  });
});
