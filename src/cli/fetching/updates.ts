import { IMPORTERS } from '../../ingest/datasets.js';
import type { NewerFiles } from '../../ingest/fetching/fetched-inputs.js';
import { importDataset } from '../../ingest/import-dataset.js';
import type { ImportReport } from '../../ingest/importer.js';
import { StoreError } from '../../model/errors.js';
import { openStore } from '../../store/open.js';
import type { Store } from '../../store/store.js';
import { recordedImport } from '../importing/recorded-import.js';
import type { RejectsFile } from '../importing/rejects.js';
import type { CommandContext } from '../terminal/io.js';
import { parseSettings } from './remembered-settings.js';

/** What an update of one fetch has changed. */
export interface Update extends Pick<ImportReport, 'dataset' | 'added' | 'revised' | 'notes'> {
  readonly request: string;
  /** Names of the newer files. */
  readonly newer: readonly string[];
}

interface Target {
  /** Path of the store. */
  readonly store: string;
  readonly rejects: RejectsFile;
}

/** Imports newer files into a store, each fetch with the options of its first import. */
export async function importUpdates(
  context: CommandContext,
  newer: readonly NewerFiles[],
  { store: path, rejects }: Target,
): Promise<Update[]> {
  const store = await openStore(path);
  try {
    const updates: Update[] = [];
    for (const files of newer) updates.push(await importUpdate(context, files, { store, rejects }));
    return updates;
  } finally {
    await store.close();
  }
}

async function importUpdate(
  context: CommandContext,
  { files, fetch, newer }: NewerFiles,
  { store, rejects }: { store: Store; rejects: RejectsFile },
): Promise<Update> {
  const { dataset, request } = fetch;
  const importer = IMPORTERS.get(dataset);
  if (importer === undefined) {
    throw new StoreError(
      `the store has fetched ${dataset}, which this version cannot import; update cropframe`,
    );
  }
  const settings = parseSettings(fetch.settings);
  const recorded = recordedImport(context, importer, { files, settings, fetched: fetch, rejects });
  const { added, revised, notes } = await importDataset(store, recorded.importer, recorded.options);
  return { dataset, request, newer, added, revised, notes };
}
