import { constants, openAsBlob } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import { readMappingJson } from '../../ingest/csv/csv.js';
import { fileFailure } from '../../model/arguments/file-failure.js';
import { ArgumentError } from '../../model/errors.js';
import { fetchedInputs, type ImportRequest, readImporter } from '../actions/import.js';
import { withClient } from '../connection/with-client.js';
import { Interruption } from '../terminal/exit-codes.js';
import { type CommandContext, clearProgress } from '../terminal/io.js';
import { importProgressOptions } from './import-progress.js';
import { accountFigures, importFigures, printReport } from './import-report.js';
import { pickSettings, withRejects } from './rejects.js';

/** `cropframe import --host`: sends the files to a running service, which imports them all or nothing. */
export async function importIntoService(context: CommandContext, request: ImportRequest): Promise<void> {
  checkOptions(request);
  const importer = await readImporter(request);
  const { files } = await fetchedInputs(context, importer.dataset, request);
  const { maxRejects, maxConflicts, ...settings } = pickSettings(request);
  const { host, token, json } = request;
  await withRejects(context, request.rejects ?? `${importer.dataset}-rejects.csv`, async (rejects) => {
    const report = await withClient(context, { host, token }, async (client) =>
      client.importFiles({
        dataset: importer.dataset,
        files: await Promise.all(files.map(openFile)),
        settings: {
          ...settings,
          // The service has no files of ours.
          mapping: settings.mapping === undefined ? undefined : await readMappingJson(settings.mapping),
        },
        max_rejected: maxRejects,
        max_conflicts: maxConflicts,
        on_rejected: (rows) => void rejects.add(rows),
        ...importProgressOptions(context),
      }),
    );
    await rejects.written();
    clearProgress(context);
    const whole = { ...report, rejected: [] };
    const shown = [...accountFigures(whole), ...importFigures(whole)];
    await printReport(context, { report: whole, shown, json, rejects, title: `imported ${report.dataset}` });
  }).catch((error: unknown) => {
    if (!(error instanceof Interruption)) throw error;
    throw new Interruption(error.by, 'interrupted; the service rolled the import back');
  });
}

/** @throws ArgumentError for an option that only an import into a file has */
function checkOptions({ store, dryRun, suggest }: ImportRequest): void {
  if (store !== undefined)
    throw new ArgumentError(
      'host',
      '--host imports into a service and --store into a file; give only one of them',
    );
  if (dryRun === true || suggest === true)
    throw new ArgumentError(
      'host',
      `--${dryRun === true ? 'dry-run' : 'suggest'} reads files here; omit --host`,
    );
}

async function openFile(path: string): Promise<{ name: string; content: Blob }> {
  try {
    // Of a file that is missing, openAsBlob says only that it is no valid argument.
    await access(path, constants.R_OK);
    return { name: basename(path), content: await openAsBlob(path) };
  } catch (error) {
    throw fileFailure(error, { path, argument: 'files', to: 'read' });
  }
}
