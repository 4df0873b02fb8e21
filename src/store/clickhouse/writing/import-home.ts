import type { DuckDBConnection } from '@duckdb/node-api';
import type { LongOperation } from '../../../model/progress.js';
import { putImportedSources } from '../../duckdb/import-records.js';
import type { Home, MergedPoints } from '../../duckdb/writing/home.js';
import type { ImportedSources } from '../../import-records.js';
import { Commit } from '../committing/commit.js';
import type { Cluster } from '../engine/cluster.js';
import type { Snapshot } from '../engine/snapshot.js';
import { loadPoints } from '../workspace/load-points.js';
import { FREE_HANDLES, loadSeries, readSources } from '../workspace/load-series.js';
import { loadShapes, loadTables, STORED } from '../workspace/load-tables.js';
import { mergeKnownBatches, type Overlap, rebase } from '../workspace/rebase.js';
import {
  KNOWN_BATCH,
  SERIES,
  SERIES_UNIT,
  SHAPE,
  SMALL_TABLES,
  SOURCE_IMPORT,
} from '../workspace/stored-tables.js';
import { writeDifferences } from './difference.js';
import { MergedPointsWriter } from './merged-points.js';

const NO_OVERLAP: Overlap = { changedByOthers: new Set(), overridden: new Set() };

/** What the workspace was loaded from. */
export interface Beginning {
  readonly snapshot: Snapshot;
  /** Digests of the batches that the store had. */
  readonly digests: ReadonlySet<string>;
}

/** The cluster as the home of an import that runs in a workspace. */
export class ImportHome implements Home {
  /** They depend on what the store has when the import commits. */
  readonly importedSources: ImportedSources[] = [];

  #connection: DuckDBConnection | null = null;
  readonly #shapeIds = new Set<number>();
  #overlap = NO_OVERLAP;
  #commit: Commit | null = null;
  #points: MergedPointsWriter | null = null;

  readonly #cluster: Cluster;
  readonly #beginning: Beginning;

  constructor(cluster: Cluster, beginning: Beginning) {
    this.#cluster = cluster;
    this.#beginning = beginning;
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
    const { snapshot } = this.#beginning;
    await loadShapes(this.#connection!, this.#cluster, { ids, snapshot, schema: STORED });
    for (const id of ids) this.#shapeIds.add(id);
    await this.#connection!.run(
      `INSERT INTO shape FROM ${STORED}.shape WHERE region_id IN (${ids.join(', ')})`,
    );
  }

  async load(connection: DuckDBConnection, operation: LongOperation): Promise<void> {
    const commit = await Commit.begin(this.#cluster, operation);
    this.#commit = commit;
    const { signal } = commit;
    const snapshot = commit.before;
    if (snapshot.import !== this.#beginning.snapshot.import) {
      const shapeIds = [...this.#shapeIds];
      this.#overlap = await rebase(connection, this.#cluster, { snapshot, shapeIds, signal });
    }
    await this.#recordSources(connection);
    await loadSeries(connection, this.#cluster, { snapshot, signal });
    await loadPoints(connection, this.#cluster, { ...operation, snapshot, signal });
    this.#points = new MergedPointsWriter(this.#cluster, commit.writing);
  }

  take(connection: DuckDBConnection, points: MergedPoints): Promise<void> {
    return this.#points!.take(connection, points);
  }

  async commit(connection: DuckDBConnection): Promise<void> {
    const { writing } = this.#commit!;
    const points = await this.#points!.finish();
    await connection.run(FREE_HANDLES);
    await mergeKnownBatches(connection, { begun: this.#beginning.digests, overlap: this.#overlap });
    const tables = [...SMALL_TABLES, KNOWN_BATCH, SOURCE_IMPORT, SHAPE, SERIES_UNIT, SERIES];
    const written = await writeDifferences(connection, this.#cluster.first, { tables, writing });
    await this.#commit!.finish(points.map((point, i) => (i === 0 ? [point, ...written] : [point])));
  }

  /** Ends what is not committed. */
  async end(): Promise<void> {
    await this.#commit?.end();
  }

  /** Whether a source has series is asked of rows that stand for them. */
  async #recordSources(connection: DuckDBConnection): Promise<void> {
    if (this.importedSources.length === 0) return;
    const { before: snapshot, signal } = this.#commit!;
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
