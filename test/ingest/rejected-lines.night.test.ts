import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { findImporter } from '../../src/ingest/datasets.js';
import type { ImporterInput, RejectedRow } from '../../src/ingest/importer.js';
import { readDelimited } from '../../src/ingest/reading/delimited.js';
import { openStore } from '../../src/store/open.js';
import { temporaryFiles } from '../temporary-files.js';

const { file } = temporaryFiles();

// The engines of other tests have one thread, which always keeps the order of rows.
const { create } = DuckDBInstance;
DuckDBInstance.create = (path, options) => create.call(DuckDBInstance, path, { ...options, threads: '2' });

/** Several threads of the engine read a text of this length. */
const LONG_BYTES = 9_000_000;

/** Repeats the rows of a fixture, with the text `bad<line>` as the value of some lines. */
async function longText(fixture: string, delimiter: string, column: string): Promise<string> {
  const rows: string[][] = [];
  const format = { delimiter, quotes: true };
  for await (const { fields } of readDelimited([readFileSync(`test/fixtures/${fixture}`)] as never, format))
    rows.push([...fields]);
  const [header, ...body] = rows;
  const at = header!.indexOf(column);
  const quoted = (field: string) => (field.includes(delimiter) ? `"${field}"` : field);
  const lines = [header!.map(quoted).join(delimiter)];
  for (let bytes = 0; bytes < LONG_BYTES; ) {
    const row = body[lines.length % body.length]!;
    const line = lines.length + 1;
    const text = row.map((field, i) => (i === at && line % 4001 === 0 ? `bad${line}` : quoted(field)));
    bytes += lines[lines.push(text.join(delimiter)) - 1]!.length;
  }
  return lines.join('\n');
}

it.each([
  ['psd', 'psd/grains.csv', ',', 'Value'],
  ['nass', 'nass/quick-stats.tsv', '\t', 'VALUE'],
  ['faostat', 'faostat/bulk-new.csv', ',', 'Value'],
])(
  'gives the line and text of each rejected row of a long text: %s',
  async (dataset, fixture, delimiter, column) => {
    const path = file('long.txt', await longText(fixture, delimiter, column));
    const importer = (await findImporter(dataset))!;
    const store = await openStore(':memory:');
    const transaction = await store.begin();
    const rejected: RejectedRow[] = [];
    const input = { files: [path], importedMs: Date.UTC(2026, 0, 2) };
    const putRows: ImporterInput['putRows'] = (table) => transaction.putRows(table);
    for await (const batch of importer.read({ ...input, putRows })) rejected.push(...(batch.rejected ?? []));
    await transaction.rollback();
    await store.close();
    const lines = readFileSync(path, 'utf8').split('\n');
    const bad = rejected.filter(({ reason }) => reason.includes('bad'));
    expect(bad.length).toBeGreaterThan(5);
    expect(bad.filter(({ reason, line }) => !reason.includes(`bad${line}`))).toEqual([]);
    expect(rejected.filter(({ line, text }) => text !== lines[line! - 1])).toEqual([]);
  },
);
