import { describe, expect, it } from 'vitest';
import { BatchBuilder } from '../../../src/ingest/batch/batch-builder.js';
import { jsonTable } from '../../../src/ingest/document/json-tables.js';
import type { ImportBatch, Importer } from '../../../src/ingest/importer.js';
import { columnFinder, hasColumns } from '../../../src/ingest/reading/columns.js';
import { readTables, type TableFormat } from '../../../src/ingest/reading/tables.js';
import { IngestError } from '../../../src/model/errors.js';
import type { RowDimension } from '../../../src/store/store.js';
import { countRuns } from '../../endurance.js';
import { temporaryFiles } from '../../temporary-files.js';
import { readBatches } from '../collect.js';
import { zipped } from '../zipped.js';

const { file } = temporaryFiles();

const POINT = {
  metric_id: 1,
  item_id: 2,
  region_id: 3,
  partner_region_id: 0,
  source_id: 4,
  frequency_id: 5,
  unit_id: 6,
  startMs: 0,
  endMs: 0,
  availableMs: 0,
};

interface CropTable extends Partial<Omit<TableFormat, 'plan'>> {
  readonly notRead?: readonly string[];
}

/** Rows of a `crop` and a value; a value that is no number is refused. */
function cropTable(seen: string[], { notRead, ...more }: CropTable = {}): TableFormat {
  return {
    name: 'a table of crops',
    delimiter: ';',
    quotes: true,
    matches: (fields) => hasColumns(fields, ['crop']),
    plan: ({ file, header, sample }) => {
      seen.push(`${file}: ${header.join('|')} of ${sample.length}`);
      const rows: RowDimension = {
        name: 'row',
        of: { texts: ['c0', 'c1'] },
        resolve: ([crop, value]) => {
          if (Number.isNaN(Number(value))) return { rejected: `no number: ${value}` };
          seen.push(`${crop} ${value}`);
          return { value: Number(value) };
        },
      };
      return { dimensions: [rows], numbers: ['NULL::DOUBLE'], constants: POINT, notRead };
    },
    ...more,
  };
}

async function read(files: readonly string[], formats: (seen: string[]) => readonly TableFormat[]) {
  const seen: string[] = [];
  const batches: ImportBatch[] = [];
  const importer: Importer = {
    dataset: 'crops',
    summary: '',
    needsFiles: true,
    read: ({ putRows }) =>
      readTables({ dataset: 'crops', files, putRows }, formats(seen), new BatchBuilder()),
  };
  for await (const batch of readBatches(importer)) if (batch.texts !== undefined) batches.push(batch);
  return { seen, batches };
}

const oneTable = (more?: CropTable) => (seen: string[]) => [cropTable(seen, more)];

describe('tables of a data set', () => {
  it('are read row by row, rejected rows with their line, reason and text', async () => {
    const text = ' Crop ;"Value"\ncorn;1\n"a;b";"x""y"\n"p\nq";z\nrye;2;3\nrye;4\n';
    const { seen, batches } = await read([file('one.csv', text)], oneTable());
    expect(seen).toEqual([`one.csv: Crop|Value of ${text.length}`, 'corn 1', 'rye 4']);
    expect(batches).toHaveLength(1);
    expect(batches[0]).toMatchObject({
      read: 5,
      rejected: [
        { file: 'one.csv', line: 3, reason: 'no number: x"y', text: '"a;b";"x""y"' },
        { file: 'one.csv', line: 4, reason: 'no number: z', text: '"p\nq";z' },
        { file: 'one.csv', line: 6, reason: 'the row has 3 fields, but the header has 2', text: 'rye;2;3' },
      ],
      texts: [{ name: 'one.csv' }],
      notes: [],
      progress: { label: 'reading crops', done: text.length, total: text.length, unit: 'bytes', rows: 5 },
    });
  });

  it('have a batch a file, and say what of an archive is not read', async () => {
    const archive = zipped({
      'a.csv': 'crop;v\ncorn;1\n',
      'Licence.txt': 'x',
      'sub/readme': 'x',
      'notes.PDF': 'x',
    });
    const { seen, batches } = await read(
      [file('all.zip', archive), file('last.csv', 'crop;v\nrye;2\n')],
      oneTable(),
    );
    expect(seen.filter((text) => !text.includes(':'))).toEqual(['corn 1', 'rye 2']);
    expect(batches.map(({ notes }) => notes)).toEqual([
      ['these files in all.zip are not read: Licence.txt, sub/readme, notes.PDF'],
      [],
    ]);
    expect(batches.map(({ texts }) => texts!.map(({ name }) => name))).toEqual([
      ['all.zip/a.csv'],
      ['last.csv'],
    ]);
    const [first, second] = batches.map(({ progress }) => progress!);
    expect(first!.done).toBeLessThan(second!.done);
    expect(second!.rows).toBe(2);
  });

  it('are not documents, whatever their folder is called', async () => {
    const table = 'crop;v\ncorn;1\n';
    const tables = ['readme/a.csv', 'licenses/b', 'c.pdf.csv', 'd.docs', 'unreadme', 'e.htmlx'];
    const documents =
      '__MACOSX/._a.csv README x/readme.1st License licences.csv f.doc g.docx h.htm i.html'.split(' ');
    const archive = zipped(Object.fromEntries([...tables, ...documents].map((name) => [name, table])));
    const { seen, batches } = await read([file('documents.zip', archive)], oneTable());
    expect(seen.filter((text) => text === 'corn 1')).toHaveLength(tables.length);
    expect(batches[0]!.notes).toEqual([`these files in documents.zip are not read: ${documents.join(', ')}`]);
  });

  it('are found among very many documents, and refused among as many other files', async () => {
    const length = countRuns({ quick: 5_999, all: 59_999 });
    const archive = (ending: string) => {
      const names = Array.from({ length }, (_, i) => `${i}.${ending}`);
      const files = Object.fromEntries(names.map((name) => [name, '']));
      return zipped({ ...files, 'a.csv': 'crop;v\nrye;1\n' }, { stored: true });
    };
    const others = file('others.zip', archive('dat'));
    await expect(read([others], oneTable())).rejects.toThrow('others.zip/0.dat is not ');
    const { batches } = await read([file('one.zip', archive('pdf'))], oneTable());
    const listed = Array.from({ length: 20 }, (_, i) => `${i}.pdf`).join(', ');
    expect(batches[0]!.notes).toEqual([
      `these files in one.zip are not read: ${listed} and ${length - 20} more`,
    ]);
  });

  it('may begin with lines that are not read', async () => {
    const late = oneTable({ headerLine: () => 3, matches: (fields) => fields[0] === 'crop' });
    const { seen } = await read([file('late.csv', 'made\nby\ncrop;v\ncorn;1\n')], late);
    expect(seen).toEqual(['late.csv: crop|v of 22', 'corn 1']);
    const json = oneTable(jsonTable());
    const { seen: records, batches } = await read([file('r.json', '[{"crop":"corn","v":1}]')], json);
    expect(records).toEqual(['r.json: crop|v of 23', 'corn 1']);
    expect(batches[0]!.texts).toMatchObject([{ name: 'r.json' }]);
    const odd = await read([file('odd.json', '[{"crop":"corn","v":1},{"crop":"rye","v":"x"}]')], json);
    expect(odd.batches[0]!.rejected).toMatchObject([{ file: 'odd.json', line: 3, text: 'rye;x' }]);
  });

  it('are read by the first format that their header matches', async () => {
    const none = { name: 'a table of none', matches: () => false };
    const { seen } = await read([file('two.csv', 'crop;v\ncorn;1\n')], (all) => [
      cropTable([], none),
      cropTable(all),
      cropTable([]),
    ]);
    expect(seen).toContain('corn 1');
    const attempt = read([file('odd.csv', 'place;v\nIowa;1\n')], (all) => [
      cropTable(all),
      cropTable([], none),
    ]);
    await expect(attempt).rejects.toThrow(IngestError);
    await expect(attempt).rejects.toThrow(
      'odd.csv is not a table of crops, or a table of none: its first line is "place;v"',
    );
    await expect(attempt).rejects.toMatchObject({ file: 'odd.csv', row: 1 });
  });

  it('count the values of rows with several, and note that there are none', async () => {
    const { batches } = await read(
      [file('wide.csv', 'crop;v\ncorn;1\nrye;x\n'), file('no-rows.csv', 'crop;v\n')],
      oneTable({ notRead: ['remark', 'footnote'] }),
    );
    expect(batches[0]).toMatchObject({ read: 6, rejected: [{ values: 3, line: 3 }] });
    expect(batches[0]!.notRead).toEqual(
      new Map([
        ['remark', 1],
        ['footnote', 1],
      ]),
    );
    expect(batches[1]!.notes).toEqual(['no-rows.csv has a header but no rows']);
    const single = await read([file('single.csv', 'crop;v\nrye;x\n')], oneTable());
    expect(single.batches[0]!.rejected![0]!.values).toBeUndefined();
  });

  it('have lines of more than two million characters', async () => {
    const long = 'x'.repeat(3_000_000);
    const { seen, batches } = await read(
      [file('long.csv', `crop;v\ncorn;1\n${long};2\nrye;z\n`)],
      oneTable(),
    );
    expect(seen.slice(1)).toEqual(['corn 1', `${long} 2`]);
    expect(batches[0]).toMatchObject({ read: 3, rejected: [{ line: 4, text: 'rye;z' }] });
  });

  it('are refused where they are damaged, missing or none', async () => {
    const damaged = read([file('open.csv', 'crop;v\ncorn;"1\n')], oneTable());
    await expect(damaged).rejects.toMatchObject({
      message: expect.stringContaining('open.csv, line 2: a quoted field is never closed'),
      file: 'open.csv',
      row: 2,
    });
    await expect(read([], oneTable())).rejects.toThrow('specify the files of "crops" to import');
    await expect(read([file('short.csv', 'crop;v')], oneTable({ headerLine: () => 2 }))).rejects.toThrow(
      /is not a table of crops/,
    );
  });
});

it('the header of a table has a column that the header names once', () => {
  const where = { dataset: 'crops', file: 'a.csv' };
  expect(columnFinder(['VALUE', 'area', 'Value'], where)('Value')).toBe(2);
  for (const name of ['Value', 'value']) {
    const attempt = () => columnFinder(['Value', 'area', 'VALUE', 'Value'], where)(name);
    expect(attempt).toThrow(/^a\.csv has the column "value" \d times \(columns .*\); rename all but one$/i);
    expect(attempt).toThrow(expect.objectContaining({ file: 'a.csv', row: 1 }));
  }
  expect(() => columnFinder(['a', 'b', 'A', 'b'], where)('b')).toThrow('2 times (columns 2 and 4)');
});
