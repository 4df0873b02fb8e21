import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatAlignedTable,
  formatTabbedTable,
  type TextColumn,
} from '../../../src/cli/terminal/text-table.js';

type Row = readonly [key: string, name: string, points: string];

const COLUMNS: TextColumn<Row>[] = [
  { title: 'key', whole: true, of: ([key]) => key },
  { title: 'name', of: ([, name]) => name },
  { title: 'points', align: 'right', of: ([, , points]) => points },
];

describe('alignedTable', () => {
  it('aligns text left and numbers right', () => {
    expect(
      formatAlignedTable(
        [
          ['1-2', 'Corn', '7'],
          ['1-30', 'Côte d’Ivoire', '1461'],
        ],
        COLUMNS,
      ),
    ).toBe(
      ['key   name           points', '1-2   Corn                7', '1-30  Côte d’Ivoire    1461', ''].join(
        '\n',
      ),
    );
  });

  it('truncates the longest text to the width, never keys or numbers', () => {
    const text = formatAlignedTable([['1-2-3-4-5-6', 'a long name of a series', '1461']], COLUMNS, 35);
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
          const lines = formatAlignedTable(rows, COLUMNS, width).split('\n');
          expect(lines).toHaveLength(rows.length + 2);
          for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe('tabbedTable', () => {
  it('leaves an optional column out where no row has a text', () => {
    const columns = COLUMNS.map((column) => ({ ...column, optional: column.title === 'name' }));
    expect(formatTabbedTable([['1', '', '3']], columns)).toBe('key\tpoints\n1\t3\n');
    expect(
      formatTabbedTable(
        [
          ['1', '', '3'],
          ['2', 'x', ''],
        ],
        columns,
      ),
    ).toContain('name');
  });

  it('keeps each row on one line', () => {
    expect(formatTabbedTable([['1', 'two\nlines\tand a tab', '3']], COLUMNS)).toBe(
      'key\tname\tpoints\n1\ttwo lines and a tab\t3\n',
    );
  });
});
