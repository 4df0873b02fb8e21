import type { DuckDBConnection } from '@duckdb/node-api';
import type { LongOperation } from '../../../model/progress.js';
import { putImportedSources } from '../../duckdb/import-records.js';
import type { Home, MergedPoints } from '../../duckdb/writing/home.js';
import type { ImportedSources } from '../../import-records.js';
import type { Commit } from '../committing/commit.js';
import type { Cluster } from '../engine/cluster.js';
import { loadPoints } from '../workspace/load-points.js';
import { FREE_HANDLES, loadSeries, readSources } from '../workspace/load-series.js';
import { loadShapes, loadTables, STORED } from '../workspace/load-tables.js';
import {
  KNOWN_BATCH,
  SERIES,
  SERIES_UNIT,
  SHAPE,
  SMALL_TABLES,
  SOURCE_IMPORT,
} from '../workspace/stored-tables.js';
import { type Writing, writeDifferences } from './difference.js';
import { MergedPointsWriter } from './merged-points.js';

/** The cluster as the home of an import that runs in a workspace. */
export class ImportHome implements Home {
  /** They depend on what the store has when the import commits. */
  readonly importedSources: ImportedSources[] = [];

  #connection: DuckDBConnection | null = null;
  readonly #shapeIds = new Set<number>();
  #writing: Writing | null = null;
  #points: MergedPointsWriter | null = null;

  readonly #cluster: Cluster;
  readonly #commit: Commit;

  constructor(cluster: Cluster, commit: Commit) {
    this.#cluster = cluster;
    this.#commit = commit;
  }

  get location(): string {
    return this.#cluster.location;
  }

  begin(connection: DuckDBConnection): void {
    this.#connection = connection;
  }

  /** Loads the shapes of regions before they are compared with others. */
  async loadShapes(regionIds: readonly number[]): Promise<void> {
    const ids = [...new Set(regionIds)].filter((id) => !this.#shapeIds.has(id));
    if (ids.length === 0) return;
    const { before: snapshot, signal } = this.#commit;
    await loadShapes(this.#connection!, this.#cluster, { ids, snapshot, schema: STORED, signal });
    for (const id of ids) this.#shapeIds.add(id);
    await this.#connection!.run(
      `INSERT INTO shape FROM ${STORED}.shape WHERE region_id IN (${ids.join(', ')})`,
    );
  }

  async load(connection: DuckDBConnection, operation: LongOperation): Promise<void> {
    const writing = this.#commit.writing(operation);
    this.#writing = writing;
    const { before: snapshot, signal } = writing;
    await this.#recordSources(connection);
    await loadSeries(connection, this.#cluster, { snapshot, signal });
    await loadPoints(connection, this.#cluster, { ...operation, snapshot, signal });
    this.#points = new MergedPointsWriter(this.#cluster, writing);
  }

  take(connection: DuckDBConnection, points: MergedPoints): Promise<void> {
    return this.#points!.take(connection, points);
  }

  async commit(connection: DuckDBConnection): Promise<void> {
    const writing = this.#writing!;
    const points = await this.#points!.finish();
    await connection.run(FREE_HANDLES);
    const tables = [...SMALL_TABLES, KNOWN_BATCH, SOURCE_IMPORT, SHAPE, SERIES_UNIT, SERIES];
    const written = await writeDifferences(connection, this.#cluster.first, { tables, writing });
    const expected = points.map((point, i) => (i === 0 ? [point, ...written] : [point]));
    await this.#commit.finish(expected, writing);
  }

  /** Ends what is not committed. */
  end(): Promise<void> {
    return this.#commit.end();
  }

  /** Whether a source has series is asked of rows that stand for them. */
  async #recordSources(connection: DuckDBConnection): Promise<void> {
    if (this.importedSources.length === 0) return;
    const { before: snapshot, signal } = this.#writing!;
    await loadTables(connection, this.#cluster, {
      tables: [SOURCE_IMPORT],
      snapshot,
      schema: STORED,
      signal,
    });
    await connection.run(`INSERT INTO source_import FROM ${STORED}.source_import`);
    for (const id of await readSources(this.#cluster, { snapshot, signal }))
      await connection.run(`INSERT INTO series (handle, source_id) VALUES (-1, ${id})`);
    for (const imported of this.importedSources) await putImportedSources(connection, imported);
    await connection.run('DELETE FROM series WHERE handle = -1');
  }
}
