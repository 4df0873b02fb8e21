import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignedTable, tabbedTable } from '../../../src/cli/terminal/text-table.js';

const COLUMNS = [
  { title: 'key', whole: true },
  { title: 'name' },
  { title: 'points', align: 'right' },
] as const;

describe('alignedTable', () => {
  it('aligns text left and numbers right', () => {
    expect(
      alignedTable(COLUMNS, [
        ['1-2', 'Corn', '7'],
        ['1-30', 'Côte d’Ivoire', '1461'],
      ]),
    ).toBe(
      ['key   name           points', '1-2   Corn                7', '1-30  Côte d’Ivoire    1461', ''].join(
        '\n',
      ),
    );
  });

  it('truncates the longest text to the width, never keys or numbers', () => {
    const text = alignedTable(COLUMNS, [['1-2-3-4-5-6', 'a long name of a series', '1461']], 35);
    expect(text).toContain('1-2-3-4-5-6');
    expect(text).toContain('…');
    expect(text).toContain(' 1461');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(35);
  });

  it('prints one line per row, within the width', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string(), fc.string(), fc.string()), { maxLength: 5 }),
        fc.integer({ min: 1, max: 200 }),
        (rows, width) => {
          const lines = alignedTable(COLUMNS, rows, width).split('\n');
          expect(lines).toHaveLength(rows.length + 2);
          for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe('tabbedTable', () => {
  it('keeps each row on one line', () => {
    expect(tabbedTable(COLUMNS, [['1', 'two\nlines\tand a tab', '3']])).toBe(
      'key\tname\tpoints\n1\ttwo lines and a tab\t3\n',
    );
  });
});
