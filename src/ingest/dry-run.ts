import type { EntityType } from '../model/entity.js';
import { type SeriesKey, seriesKeyText } from '../model/series.js';
import { applyIdChange, type IdChange } from '../store/id-change.js';
import type { NewEntity } from '../store/store.js';
import type { ImportBatch, Importer, ImporterInput, ImportOptions, ImportReport } from './importer.js';
import { readReferenceData } from './reference-data.js';
import { RejectionTally } from './rejection-tally.js';

/** What an import would load, determined without a store. */
export interface DryRunReport
  extends Pick<ImportReport, 'dataset' | 'rows' | 'rejectedRows' | 'rejected' | 'notes'> {
  readonly series: readonly SeriesKey[];
  /** The entities of the data set that are not in the shared vocabulary or the region tree. */
  readonly entities: { readonly [Type in EntityType]?: readonly NewEntity<Type>[] };
}

/**
 * Reads a data set as `importDataset` does, and stores nothing.
 * @param options.documents the entities of a store by name; without it, names are resolved by the shared vocabulary and
 * the region tree alone
 * @throws IngestError as the import does, or the signal's reason
 */
export async function dryRun(
  importer: Importer,
  options: ImportOptions & Pick<ImporterInput, 'documents' | 'identities'> = {},
): Promise<DryRunReport> {
  const {
    signal,
    onProgress,
    files = [],
    importedMs = Date.now(),
    settings,
    documents,
    identities,
  } = options;
  const tally = new RejectionTally(importer.dataset, options);
  const contents = new DryRunContents();
  const input = { files, importedMs, settings, signal, documents, identities };
  for await (const batch of importer.read(input)) {
    signal?.throwIfAborted();
    tally.add(batch);
    contents.add(batch);
    if (batch.progress) onProgress?.(batch.progress);
  }
  tally.check();
  return { dataset: importer.dataset, ...tally.report(), ...contents.list(await referenceEntityKeys()) };
}

/** The distinct series and entities of a data set. */
class DryRunContents {
  #series = new Map<string, SeriesKey>();
  readonly #entities = new Map<EntityType, Map<number, NewEntity<EntityType>>>();

  add({ idChanges = [], points, entities = {} }: ImportBatch): void {
    for (const change of idChanges) this.#changeId(change);
    for (const key of points?.series ?? []) this.#series.set(seriesKeyText(key), key);
    for (const [type, rows] of Object.entries(entities) as unknown as [
      EntityType,
      readonly NewEntity<EntityType>[],
    ][]) {
      const known = this.#entities.get(type) ?? new Map<number, NewEntity<EntityType>>();
      this.#entities.set(type, known);
      for (const row of rows) known.set(row.id, row);
    }
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

  #changeId(change: IdChange): void {
    const series = [...this.#series.values()].map((key) => applyIdChange(key, change));
    this.#series = new Map(series.map((key) => [seriesKeyText(key), key]));
    const rows = this.#entities.get(change.type);
    const row = rows?.get(change.from);
    if (row === undefined) return;
    rows!.delete(change.from);
    rows!.set(change.to, { ...row, id: change.to });
  }
}

async function referenceEntityKeys(): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { entities = {} } of readReferenceData([])) {
    for (const [type, rows] of Object.entries(entities)) for (const { id } of rows) ids.add(`${type} ${id}`);
  }
  return ids;
}
