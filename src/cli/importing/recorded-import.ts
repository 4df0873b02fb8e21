import type { Importer, ImportOptions } from '../../ingest/importer.js';
import type { StoredFetch } from '../../store/import-records.js';
import type { RememberedSettings } from '../fetching/remembered-settings.js';
import type { CommandIo } from '../terminal/io.js';
import { importProgressOptions } from './import-progress.js';
import { type RejectsFile, recordRejects } from './rejects.js';

interface RecordedImport {
  readonly files: readonly string[];
  readonly settings: RememberedSettings;
  /** What the files were fetched as. */
  readonly fetched?: StoredFetch | undefined;
  /** Receives rejected and contradictory rows. */
  readonly rejects: RejectsFile;
}

/** An importer that writes the rows that it rejects to a file, and the options with which it is to run. */
export function recordedImport(
  io: Pick<CommandIo, 'stderr' | 'signal'>,
  importer: Importer,
  { files, settings: { maxRejects, maxConflicts, ...settings }, fetched, rejects }: RecordedImport,
): { importer: Importer; options: ImportOptions } {
  return {
    importer: recordRejects(importer, rejects),
    options: {
      files,
      settings,
      maxRejected: maxRejects,
      maxConflicts,
      fetched,
      onConflicts: (rows) => rejects.add(rows),
      ...importProgressOptions(io),
    },
  };
}
