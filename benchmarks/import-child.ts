import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { importerOf } from '../src/ingest/datasets.js';
import { importDataset } from '../src/ingest/import-dataset.js';
import type { DatasetAsked } from '../src/model/importing/job.js';
import { openStore } from '../src/store/open.js';
import { serveTasks } from './child.js';

/** An import of ours into a copy of the store `regions.duckdb` of the folder. */
export interface OurImport {
  /** The data set, or its document. */
  readonly dataset: DatasetAsked;
  readonly file: string;
  readonly folder: string;
}

/** Statements that fill the table `points` of a file in the folder. */
export interface TheirImport {
  readonly statements: readonly string[];
  /** The start of a period, from the table's columns. */
  readonly day: string;
  readonly folder: string;
}

/** What both sides have stored: a point each row, over the same dates. */
export interface Stored {
  readonly points: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

serveTasks(
  (task: OurImport | TheirImport) => ('dataset' in task ? importOurs(task) : importTheirs(task)),
  (stored: Stored) => stored,
  ({ folder }) => {
    copyFileSync(join(folder, 'regions.duckdb'), join(folder, 'ours.duckdb'));
    rmSync(join(folder, 'theirs.duckdb'), { force: true });
  },
);

/** Imports a file into a copy of a store that has the regions, as stores have from their first import on. */
async function importOurs({ dataset, file, folder }: OurImport): Promise<Stored> {
  const store = await openStore(join(folder, 'ours.duckdb'));
  const importedMs = Date.UTC(2026, 0, 1);
  const { added } = await importDataset(store, await importerOf(dataset), { files: [file], importedMs });
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for await (const batch of store.series({ selection: {} })) {
    for (const { startMs, endMs } of batch) {
      firstMs = Math.min(firstMs, startMs);
      lastMs = Math.max(lastMs, endMs);
    }
  }
  await store.close();
  return { points: added, firstMs, lastMs };
}

async function importTheirs({ statements, day, folder }: TheirImport): Promise<Stored> {
  const instance = await DuckDBInstance.create(join(folder, 'theirs.duckdb'));
  const connection = await instance.connect();
  for (const sql of [...statements, 'CHECKPOINT']) await connection.run(sql);
  const found = `SELECT count(*), epoch_ms(min(${day})), epoch_ms(max(${day})) FROM points`;
  const [row] = (await connection.runAndReadAll(found)).getRows();
  connection.closeSync();
  instance.closeSync();
  const [points, firstMs, lastMs] = row!.map(Number);
  return { points: points!, firstMs: firstMs!, lastMs: lastMs! };
}
