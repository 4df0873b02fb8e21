import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntityType } from '../model/entity.js';
import { type SeriesKey, seriesKeyText } from '../model/series.js';
import { openStore } from '../store/open.js';
import type { NewEntity, ReadRows, StoreTransaction } from '../store/store.js';
import { DryRunPoints, type PointPreview } from './dry-run-points.js';
import { settleRows, writeBatch } from './import-dataset.js';
import { ImportTally } from './import-tally.js';
import type { ImportBatch, Importer, ImporterInput, ImportOptions } from './importer.js';
import { readReferenceData } from './reference-data.js';

/** What an import would load, determined without a store of one's own. */
export interface DryRunReport extends ReturnType<ImportTally['report']>, PointPreview {
  readonly series: readonly SeriesKey[];
  /** The entities of the data set that are not in the shared vocabulary or the region tree. */
  readonly entities: { readonly [Type in EntityType]?: readonly NewEntity<Type>[] };
}

type DryRunOptions = ImportOptions & Pick<ImporterInput, 'documents' | 'names' | 'identities' | 'lookup'>;

/**
 * Reads a data set as `importDataset` does, and stores nothing. Points are compared in a store for the purpose, which is
 * removed at the end.
 * @param options.documents the entities of a store by name; without it, names are resolved by the shared vocabulary and
 * the region tree alone
 * @throws IngestError as the import does, or the signal's reason
 */
export async function dryRun(importer: Importer, options: DryRunOptions = {}): Promise<DryRunReport> {
  const folder = await mkdtemp(join(tmpdir(), 'cropframe-dry-run-'));
  try {
    const store = await openStore(join(folder, 'dry-run.duckdb'));
    try {
      return await readInto(await store.begin(), importer, options);
    } finally {
      await store.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readInto(
  transaction: StoreTransaction,
  importer: Importer,
  options: DryRunOptions,
): Promise<DryRunReport> {
  const { signal, onProgress, files = [], importedMs = Date.now() } = options;
  const { settings, documents, names, identities, lookup } = options;
  const tally = new ImportTally(importer, options);
  const contents = new DryRunContents();
  const input = { files, importedMs, settings, signal, documents, names, identities, lookup };
  for await (const batch of importer.read(input)) {
    signal?.throwIfAborted();
    const { entities, points, rows } = batch;
    const read = await writeBatch(transaction, { entities, points, rows }, { signal });
    tally.add(batch);
    contents.add(batch);
    if (read !== null) await contents.addRows(read);
    if (batch.progress) onProgress?.(batch.progress);
  }
  const account = await settleRows(transaction, tally, { importer, options });
  const nameOf = (type: EntityType, id: number) => contents.nameOf(type, id, lookup);
  const preview = await contents.points.preview(nameOf);
  return { ...account, ...preview, ...contents.list(await referenceEntityKeys()) };
}

/** The distinct series and entities of a data set. */
class DryRunContents {
  readonly points = new DryRunPoints();
  readonly #series = new Map<string, SeriesKey>();
  readonly #entities = new Map<EntityType, Map<number, NewEntity<EntityType>>>();

  add({ points, entities = {} }: ImportBatch): void {
    if (points !== undefined) this.points.add(points);
    this.#addSeries(points?.series ?? []);
    for (const [type, rows] of Object.entries(entities) as unknown as [
      EntityType,
      readonly NewEntity<EntityType>[],
    ][]) {
      const known = this.#entities.get(type) ?? new Map<number, NewEntity<EntityType>>();
      this.#entities.set(type, known);
      for (const row of rows) known.set(row.id, row);
    }
  }

  async addRows(read: ReadRows): Promise<void> {
    await this.points.addRows(read);
    this.#addSeries(read.series);
  }

  #addSeries(series: readonly SeriesKey[]): void {
    for (const key of series) this.#series.set(seriesKeyText(key), key);
  }

  list(shared: ReadonlySet<string>): Pick<DryRunReport, 'series' | 'entities'> {
    const own = [...this.#entities].map(([type, rows]) => [
      type,
      [...rows.values()].filter(({ id }) => !shared.has(`${type} ${id}`)),
    ]);
    return {
      series: [...this.#series.values()],
      entities: Object.fromEntries(own) as DryRunReport['entities'],
    };
  }

  /** The name of an entity of the data set or of the store; its id where neither has it. */
  async nameOf(type: EntityType, id: number, lookup: DryRunOptions['lookup']): Promise<string> {
    const entity = this.#entities.get(type)?.get(id) ?? (await lookup?.(type, [id]))?.[0];
    if (entity === undefined) return String(id);
    return 'abbreviation' in entity ? entity.abbreviation : entity.name;
  }
}

async function referenceEntityKeys(): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { entities = {} } of readReferenceData([])) {
    for (const [type, rows] of Object.entries(entities)) for (const { id } of rows) ids.add(`${type} ${id}`);
  }
  return ids;
}
