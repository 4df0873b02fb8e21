import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { badArgument } from '../model/errors.js';
import { fileFailure } from '../model/file-failure.js';
import type { ImportAsked, ImportJob, ImportWatch } from '../model/importing/job.js';
import { makeFolder } from '../model/make-folder.js';
import { checkOptions, type OptionsOf } from '../model/schema/check.js';
import { integer, TEXT } from '../model/schema/schemas.js';
import type { Store } from '../store/store.js';
import { removeAbandonedFiles, temporaryName } from '../store/temporary-files.js';
import { importerOf } from './datasets.js';
import { importDataset } from './import-dataset.js';
import type { ImportReport } from './importer.js';
import { checkSettings } from './settings.js';

const HOST_KEYS = {
  /** The folder in which to create a temporary folder for uploaded files; by default, the system's temporary folder. */
  folder: TEXT,
  /** The maximum total size of an import's files, in bytes; 4 GiB by default. */
  maxBytes: integer({ min: 1 }),
};
/** Options for `hostImports`: the folder for uploaded files and the maximum total size of an import's files. */
export interface ImportHostOptions extends OptionsOf<typeof HOST_KEYS> {}

/** Runs a service's imports. Pass it to `createService` as the `imports` option. */
export interface HostedImports {
  /** The folder in which uploaded files are kept until they have been imported. */
  readonly folder: string;
  /** The maximum total size of an import's files, in bytes. */
  readonly maxBytes: number;
  /** Checks a request before its files are sent, and throws if the import cannot succeed. */
  check(request: ImportAsked): Promise<void>;
  /** Imports a data set, either completely or not at all. */
  run(store: Store, job: ImportJob, watch: ImportWatch): Promise<Omit<ImportReport, 'rejected'>>;
  /** Removes the temporary folder, along with any files in it that were not imported. */
  close(): Promise<void>;
}

/**
 * Sets up imports into a store that is being served. The database engine reads tables on its own threads. Other files
 * are read in chunks, between which the service can handle requests; only JSON files are parsed as a whole.
 */
export async function hostImports(options: ImportHostOptions = {}): Promise<HostedImports> {
  checkOptions(options, HOST_KEYS, 'hostImports');
  const { maxBytes = 4 * 1024 ** 3 } = options;
  const imports = importsIn(options.folder, maxBytes);
  const { folder } = imports;
  await removeAbandonedFiles(dirname(folder));
  await makeFolder(folder, 0o700).catch((error: unknown) => {
    throw fileFailure(error, { path: folder, argument: 'folder', to: 'write' });
  });
  return imports;
}

/**
 * Sets up imports of files that are uploaded to a temporary folder in `parent`. The temporary folder is created when
 * the first file arrives.
 */
export function importsIn(parent = tmpdir(), maxBytes = Number.MAX_SAFE_INTEGER): HostedImports {
  const folder = join(parent, temporaryName());
  const close = () => rm(folder, { recursive: true, force: true });
  return { folder, maxBytes, check: checkHosted, run: runImport, close };
}

async function runImport(store: Store, { dataset, ...options }: ImportJob, watch: ImportWatch) {
  const { rejected: _, ...report } = await importDataset(store, await importerOf(dataset), {
    ...options,
    signal: watch.signal,
    onProgress: (progress) => watch.onProgress(progress),
    onRejected: (rows) => watch.onRejected(rows),
    onConflicts: (rows) => watch.onRejected(rows),
  });
  return report;
}

async function checkHosted({ dataset, files, settings }: ImportAsked): Promise<void> {
  const importer = await importerOf(dataset);
  const { dataset: name, needsFiles } = importer;
  if (needsFiles !== files.length > 0)
    throw badArgument('files', `${name} needs ${needsFiles ? '' : 'no '}files`);
  checkSettings(importer, settings);
}
