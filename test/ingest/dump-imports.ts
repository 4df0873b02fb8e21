import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { importerOf } from '../../src/ingest/datasets.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { RejectedRow } from '../../src/ingest/importer.js';
import type { DatasetAsked, ImporterSettings } from '../../src/model/importing/job.js';
import { openStore } from '../../src/store/open.js';

/**
 * `node --import tsx test/ingest/dump-imports.ts <folder> <list.json>` imports each list of files into a store of its own, and
 * writes all that the store then holds, the account and the rejected rows into a text file of the folder: two commits have
 * read the files alike when their folders are equal. A list is `{ name, dataset, files, settings?, again? }`.
 */
interface Import {
  readonly name: string;
  /** The name, or the document. */
  readonly dataset: DatasetAsked;
  readonly files: readonly string[];
  readonly settings?: ImporterSettings;
  /** Files that are imported after that, into the same store. */
  readonly again?: readonly string[];
}

const POINTS = `
  SELECT metric.name AS metric, item.name AS item, region.name AS region, region_id, partner_region_id, source.name AS source,
    series.frequency_id, p.start_date::VARCHAR AS s, p.end_date::VARCHAR AS e, p.value, unit.abbreviation AS unit,
    p.reporting_date::VARCHAR AS r, p.available_date::VARCHAR AS a, p.metadata, kind
  FROM (SELECT *, 'latest' AS kind FROM store.point UNION ALL SELECT *, 'history' FROM store.point_history) AS p
  JOIN store.series ON handle = series JOIN store.metric ON metric.id = metric_id JOIN store.item ON item.id = item_id
  JOIN store.region ON region.id = region_id JOIN store.source ON source.id = source_id LEFT JOIN store.unit ON unit.id = p.unit_id
  ORDER BY ALL`;
const TABLES = 'metric item region source unit containment series series_unit source_import'.split(' ');

async function dump(one: Import, folder: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'dump-'));
  const path = join(work, 'store.duckdb');
  const store = await openStore(path);
  const lines: string[] = [];
  for (const files of [one.files, ...(one.again ? [one.again] : [])]) {
    const rejected: RejectedRow[] = [];
    const add = (rows: readonly RejectedRow[]) => void rejected.push(...rows);
    try {
      const { rejected: _, ...report } = await importDataset(store, await importerOf(one.dataset), {
        files,
        settings: one.settings ?? {},
        importedMs: Date.UTC(2026, 0, 1),
        maxRejectedShare: 1,
        maxConflicts: Number.MAX_SAFE_INTEGER,
        onRejected: add,
        onConflicts: add,
      });
      lines.push(JSON.stringify(report, null, 1));
    } catch (error) {
      lines.push(`FAILED ${(error as Error).message.replaceAll(work, '')}`);
    }
    lines.push(...rejected.map((row) => JSON.stringify(row)));
  }
  await store.close();
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`ATTACH '${path}' AS store (READ_ONLY); USE store`);
  for (const sql of [POINTS, ...TABLES.map((table) => `FROM store.${table} ORDER BY ALL`)])
    for (const row of (await connection.runAndReadAll(sql)).getRowsJson()) lines.push(JSON.stringify(row));
  connection.closeSync();
  instance.closeSync();
  rmSync(work, { recursive: true });
  const text = lines.join('\n');
  writeFileSync(join(folder, `${one.name}.txt`), text);
  console.log(one.name, lines.length, createHash('sha256').update(text).digest('hex').slice(0, 12));
}

const [folder, list] = process.argv.slice(2);
const { readFileSync } = await import('node:fs');
for (const one of JSON.parse(readFileSync(list!, 'utf8')) as Import[]) await dump(one, folder!);
