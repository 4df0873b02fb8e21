import type { EntityType } from '../model/entity.js';
import { type SeriesKey, seriesKeyText } from '../model/series.js';
import type { NewEntity } from '../store/store.js';
import { foundation } from './foundation.js';
import {
  type Importer,
  type ImporterInput,
  type ImportOptions,
  type ImportReport,
  RejectionTally,
} from './importer.js';

/** What an import would load, found out without a store. */
export interface DryRunReport
  extends Pick<ImportReport, 'dataset' | 'rows' | 'rejectedRows' | 'rejected' | 'notes'> {
  readonly series: readonly SeriesKey[];
  /** Entities that the data set adds to the shared vocabulary and the region tree. */
  readonly entities: { readonly [Type in EntityType]?: readonly NewEntity<Type>[] };
}

/**
 * Reads a data set as `importDataset` would and keeps nothing.
 * @param options.documents what a store knows by name; absent, names are sought in the shared vocabulary and regions alone
 * @throws IngestError as the import would, or the signal's reason
 */
export async function dryRun(
  importer: Importer,
  options: ImportOptions & Pick<ImporterInput, 'documents'> = {},
): Promise<DryRunReport> {
  const { signal, onProgress, files = [], importedMs = Date.now(), settings, documents } = options;
  const shared = await sharedEntities();
  const tally = new RejectionTally(importer.dataset, options);
  const series = new Map<string, SeriesKey>();
  const entities = new Map<string, Map<number, NewEntity<EntityType>>>();
  for await (const batch of importer.read({ files, importedMs, settings, signal, documents })) {
    signal?.throwIfAborted();
    tally.count(batch);
    for (const key of batch.points?.series ?? []) series.set(seriesKeyText(key), key);
    for (const [type, rows] of Object.entries(batch.entities ?? {})) {
      const added = entities.get(type) ?? new Map<number, NewEntity<EntityType>>();
      entities.set(type, added);
      for (const row of rows as unknown as NewEntity<EntityType>[]) {
        if (!shared.has(`${type} ${row.id}`)) added.set(row.id, row);
      }
    }
    if (batch.progress) onProgress?.(batch.progress);
  }
  tally.check();
  const listed = [...entities].map(([type, rows]) => [type, [...rows.values()]]);
  return {
    dataset: importer.dataset,
    ...tally.report(),
    series: [...series.values()],
    entities: Object.fromEntries(listed) as DryRunReport['entities'],
  };
}

async function sharedEntities(): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { entities = {} } of foundation([])) {
    for (const [type, rows] of Object.entries(entities)) for (const { id } of rows) ids.add(`${type} ${id}`);
  }
  return ids;
}
