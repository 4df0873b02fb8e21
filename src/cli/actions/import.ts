import { constants, existsSync, openAsBlob } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import { loadImporters, recogniseDatasets } from '../../ingest/datasets.js';
import { documentName } from '../../ingest/document/documents.js';
import { suggestDocument } from '../../ingest/document/suggest/suggest-document.js';
import { type DryRunReport, dryRun } from '../../ingest/dry-run.js';
import { importDataset } from '../../ingest/import-dataset.js';
import type { Importer } from '../../ingest/importer.js';
import { checkSettings } from '../../ingest/settings.js';
import { ArgumentError, badArgument, IngestError } from '../../model/errors.js';
import { fileFailure } from '../../model/file-failure.js';
import type { ImportOutcome, KindCount, RowAccount } from '../../model/importing/outcome.js';
import type { Store } from '../../store/store.js';
import { IMPORT, type ImportRequest } from '../commands/importing.js';
import { isOnServers, withStore } from '../connection/store-file.js';
import { withClient } from '../connection/with-client.js';
import {
  type ChosenDataset,
  chooseDataset,
  importInputs,
  recogniseFiles,
  refusePipes,
} from '../importing/inputs.js';
import {
  createRecordedOptions,
  describeRejects,
  pickSettings,
  type RecordedImport,
  type RejectsFile,
  withRejects,
} from '../importing/rejects.js';
import { checkOutput } from '../options/flags.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import {
  type CommandContext,
  clearProgress,
  note,
  remark,
  warn,
  writeJson,
  writeLine,
} from '../terminal/io.js';
import { interruptible, progressOptions } from '../terminal/progress.js';
import { formatAlignedTable, writeTable } from '../terminal/text-table.js';

async function listDatasets(context: CommandContext, { dataset, json }: ImportRequest): Promise<void> {
  const { importer } = dataset === undefined ? {} : await chooseDataset([dataset]);
  const datasets = (importer === undefined ? await loadImporters() : [importer]).map(describeDataset);
  if (json === true) return writeJson(context.stdout, datasets);
  if (importer !== undefined) return printDataset(context, datasets[0]!);
  return writeTable(context, datasets, [
    { title: 'dataset', of: ({ dataset }) => dataset },
    { title: 'files', of: ({ needs_files }) => (needs_files ? 'yes' : 'no') },
    { title: 'content', of: ({ summary }) => summary },
    { title: '--fetch takes', of: ({ fetches }) => fetches },
  ]);
}

const describeDataset = ({ dataset, summary, needsFiles, fetch, settings = {} }: Importer) => ({
  dataset,
  summary,
  needs_files: needsFiles,
  fetches: fetch?.takes ?? null,
  settings: Object.entries(settings).map(([name, { form: _, ...setting }]) => ({ name, ...setting })),
});

async function printDataset(
  { stdout }: CommandContext,
  { dataset, summary, fetches, settings }: ReturnType<typeof describeDataset>,
): Promise<void> {
  await writeLine(stdout, `${dataset}: ${summary}`);
  if (fetches !== null) await writeLine(stdout, `--fetch takes ${fetches}`);
  for (const { name, description, words, example = '…', default: usual } of settings) {
    const otherwise = usual === undefined ? '' : `; default ${usual}`;
    await writeLine(stdout, `--set ${name}=${words?.join('|') ?? example}  ${description}${otherwise}`);
  }
}

const WHEN_BUSY = 'stop that process, import, then start it again';

export async function importFiles(context: CommandContext, request: ImportRequest): Promise<void> {
  if (request.list === true) return listDatasets(context, request);
  if (request.host !== undefined) checkHostRequest(request);
  const words = [request.dataset ?? [], request.files].flat();
  await refusePipes(words);
  const chosen = await chooseDataset(words);
  if (request.suggest === true) return printSuggestion(context, chosen);
  const inputs = await gatherInputs(context, chosen, request);
  const { rejects: path = `${inputs.importer.dataset}-rejects.csv` } = request;
  if (path === '-') throw badArgument('rejects', '- is not a file; specify a file for the rejected rows');
  checkOutput('rejects', path, inputs.files);
  const step = chooseStep(request);
  await withRejects(context, path, (rejects) =>
    step(context, request, { ...inputs, rejects }).catch(async (error: unknown) => {
      throw await withLikelyDataset(error, inputs);
    }),
  );
}

function chooseStep(request: ImportRequest): typeof load {
  if (request.host !== undefined) return sendFiles;
  return isPreview(request) ? previewImport : load;
}

interface ImportInputs extends Omit<ChosenDataset, 'files'>, RecordedImport {
  readonly importer: Importer;
}

/**
 * Returns an import's data set, settings and files. Files given as URLs are downloaded first. If the command does not
 * specify the data set, it is detected from the files.
 * @throws NothingFoundError if no known data set matches the file. In this case, a draft document that describes the
 * file is printed first
 */
async function gatherInputs(
  context: CommandContext,
  chosen: ChosenDataset,
  request: ImportRequest,
): Promise<Omit<ImportInputs, 'rejects'>> {
  const settings = pickSettings(request);
  checkRequest(chosen, request);
  if (chosen.importer !== undefined) checkSettings(chosen.importer, settings.settings);
  const { files, fetched } = await importInputs(context, chosen, request);
  const importer = chosen.importer ?? (await recogniseInputs(context, files));
  checkSettings(importer, settings.settings);
  const { dataset } = importer;
  return { ...chosen, importer, files, settings, fetched: fetched && { ...fetched, dataset } };
}

async function recogniseInputs(context: CommandContext, files: readonly string[]): Promise<Importer> {
  const importer = await recogniseFiles(files);
  const names = files.map((file) => basename(file)).join(', ');
  if (importer !== undefined) {
    await note(context, `${names}: ${importer.dataset} (${importer.summary})`);
    return importer;
  }
  const [file] = files as [string];
  await printDraft(context, file);
  const path = `./${documentName(file)}.json`;
  throw new NothingFoundError(
    `no known data set matches ${names}, so nothing was imported; a draft document that describes the file is shown above: ` +
      `save it as ${path}, fill in each "?", and import with "cropframe import ${path} ${file}"`,
  );
}

/** Prints a draft data set document that describes a table. @throws ArgumentError unless exactly one table is given */
async function printSuggestion(
  context: CommandContext,
  { importer, files: [file, ...others] }: ChosenDataset,
): Promise<void> {
  if (importer !== undefined || file === undefined || others.length > 0)
    throw badArgument('suggest', 'needs one table: cropframe import FILE --suggest');
  await printDraft(context, file);
}

/** Prints a draft data set document to standard output and, to standard error, notes on what is missing from it. */
async function printDraft(context: CommandContext, file: string): Promise<void> {
  const { document, notes } = await suggestDocument(file);
  await writeJson(context.stdout, document);
  for (const text of notes) await note(context, text);
}

/** Adds a suggestion to an import error if the file in question probably belongs to a different data set. */
async function withLikelyDataset(
  error: unknown,
  { importer, files }: Pick<ImportInputs, 'importer' | 'files'>,
): Promise<unknown> {
  if (!(error instanceof IngestError)) return error;
  const [named] = error.file?.split('/') ?? [];
  const file = files.find((path) => basename(path) === named);
  const likely = file === undefined ? [] : await recogniseDatasets(file);
  if (likely.length === 0 || likely.includes(importer.dataset)) return error;
  const remedy = likely.map((other) => `cropframe import ${other} ${file}`).join(', or ');
  return new IngestError(
    importer.dataset,
    `${error.message}\nIt looks like ${likely.join(' or ')}: ${remedy}`,
    { file: error.file!, cause: error },
  );
}

async function load(context: CommandContext, request: ImportRequest, inputs: ImportInputs): Promise<void> {
  // `checkRequest` ensures that a store is given.
  const store = request.store!;
  const { importer, fetched, rejects } = inputs;
  const options = createRecordedOptions(context, inputs);
  const onLogKept = (text: string) => warn(context, `the import is committed; ${text}`);
  await interruptible(`the import was rolled back, ${store} is unchanged`, async () => {
    const use = { to: 'create', whenBusy: WHEN_BUSY, onLogKept } as const;
    const { report, before } = await withStore(store, use, async (opened) => {
      const fetches = fetched === undefined ? [] : await opened.fetches();
      const before = fetches.find(
        ({ dataset, request }) => dataset === fetched?.dataset && request === fetched.request,
      );
      return { report: await importDataset(opened, importer, options), before };
    });
    if (before !== undefined) {
      const { dropReplaced } = await import('../../ingest/fetching/fetched-inputs.js');
      await dropReplaced(before, fetched!, context.env);
    }
    await printReport(context, report, { json: request.json, rejects, store });
    await remark(context, `\nto serve it:  cropframe serve --store ${store} --no-auth`);
  });
}

const isPreview = ({ dryRun, explain }: ImportRequest): boolean => dryRun === true || explain === true;

async function previewImport(
  context: CommandContext,
  { store: file, json, explain }: ImportRequest,
  inputs: ImportInputs,
): Promise<void> {
  const { importer, rejects } = inputs;
  const options = createRecordedOptions(context, inputs);
  const hasStore = file !== undefined && (isOnServers(file) || existsSync(file));
  const run = (store?: Store) => dryRun(importer, { ...options, ...(store && { store }) });
  const report = await (hasStore ? withStore(file, { to: 'read', whenBusy: WHEN_BUSY }, run) : run());
  if (explain === true)
    return writeLine(context.stdout, report.statements.map((sql) => `${sql.trimEnd()};`).join('\n\n'));
  await printReport(context, report, { json, rejects });
  if (json !== true) await printPoints(context, report);
}

/** Checks an import's options. @throws ArgumentError if one is missing, or if the data set does not accept one */
function checkRequest(
  { importer, files }: ChosenDataset,
  { dataset = 'NAME', fetch, store, host, ...request }: ImportRequest,
): void {
  const hasFiles = files.length > 0;
  const isBuiltIn = importer?.needsFiles === false;
  const hasInputs = hasFiles || fetch !== undefined;
  const faults: readonly (readonly [isFault: boolean, argument: string, message: string])[] = [
    [
      importer === undefined && !hasInputs,
      'dataset',
      'specify a data set, or a file to import; "cropframe import --list" lists the data sets',
    ],
    [
      importer?.needsFiles === true && !hasInputs,
      'files',
      `${dataset} needs files: cropframe import ${dataset} FILE… --store STORE${importer?.fetch ? ', or --fetch' : ''}`,
    ],
    [isBuiltIn && fetch !== undefined, 'fetch', `${dataset} comes with the package; omit --fetch`],
    [isBuiltIn && hasFiles, 'files', `${dataset} needs no files; omit ${files.join(' ')}`],
    [
      store === undefined && host === undefined && !isPreview(request),
      'store',
      'no store given; use --store FILE, or --host with the URL of a service that allows imports',
    ],
  ];
  const fault = faults.find(([isFault]) => isFault);
  if (fault !== undefined) throw new ArgumentError(fault[1], fault[2]);
}

/** Checks the options of a remote import. @throws ArgumentError if one cannot be combined with `--host` */
function checkHostRequest(request: ImportRequest): void {
  if (request.store !== undefined) throw badArgument('host', 'cannot be combined with --store');
  const local = (['suggest', 'explain', 'dryRun'] as const).find((name) => request[name] === true);
  if (local !== undefined)
    throw badArgument('host', `cannot be combined with ${IMPORT.takes[local].long}, which reads local files`);
}

/** Sends files to a running service, which imports either all of them or none (`cropframe import --host`). */
async function sendFiles(
  context: CommandContext,
  { host, token, json }: ImportRequest,
  { importer, document, files, settings: { settings, maxRejects, maxConflicts }, rejects }: ImportInputs,
): Promise<void> {
  await interruptible('the service rolled the import back', async () => {
    const report = await withClient(context, { host, token }, async (client) =>
      client.importFiles({
        dataset: document ?? importer.dataset,
        files: await Promise.all(files.map(openFile)),
        ...{ settings, max_rejected: maxRejects, max_conflicts: maxConflicts },
        onRejected: (rows) => void rejects.add(rows),
        ...progressOptions(context),
      }),
    );
    await rejects.written();
    clearProgress(context);
    await printReport(context, report, { json, rejects });
  });
}

async function openFile(path: string): Promise<{ name: string; content: Blob }> {
  try {
    // `openAsBlob` would report a missing file merely as an invalid argument.
    await access(path, constants.R_OK);
    return { name: basename(path), content: await openAsBlob(path) };
  } catch (error) {
    throw fileFailure(error, { path, argument: 'files', to: 'read' });
  }
}

type Figures = readonly (readonly [name: string, count: number])[];

/**
 * The maximum number of kinds of rejected or skipped rows to list after an import. A preview lists more, so that the
 * user can find rows that are skipped by mistake.
 */
const MAX_KINDS = 12;
const MAX_PREVIEW_KINDS = 100;

/** Returns figures that account for every row in the files. The first figure is the total of the others. */
function accountFigures(account: RowAccount, maxKinds: number): Figures {
  return [
    [`${account.counts} of the files`, account.rows],
    ['  points', account.points],
    ['  nulls', account.nulls],
    ['  duplicates', account.duplicates],
    ['  conflicts', account.conflicts],
    ...kindFigures('rejected', { total: account.rejectedRows, kinds: account.rejectedBy, maxKinds }),
    ...kindFigures('not read', { total: account.notReadRows, kinds: account.notRead, maxKinds }),
  ];
}

/** Returns one line per kind of rejected or skipped row, or a single line with 0 if there are none. */
function kindFigures(
  what: string,
  { total, kinds, maxKinds }: { total: number; kinds: readonly KindCount[]; maxKinds: number },
): Figures {
  if (total === 0) return [[`  ${what}`, 0]];
  const listed = kinds.length === maxKinds + 1 ? kinds : kinds.slice(0, maxKinds);
  const rest = total - listed.reduce((sum, { count }) => sum + count, 0);
  const others = rest === 0 ? [] : [[`  ${what}: ${kinds.length - listed.length} others`, rest] as const];
  return [...listed.map(({ kind, count }) => [`  ${what}: ${kind}`, count] as const), ...others];
}

function reportFigures(report: ImportOutcome | DryRunReport): readonly [title: string, figures: Figures] {
  if ('added' in report) {
    const added: Figures = [
      ['added', report.added],
      ['  of these revisions', report.revised],
      ['unchanged', report.unchanged],
      ['new or changed series', report.series],
      ['new entities', report.entities],
    ];
    return [`imported ${report.dataset}`, [...accountFigures(report, MAX_KINDS), ...added]];
  }
  const entities = Object.entries(report.entities).filter(([, rows]) => rows.length > 0);
  const found: Figures = [
    ['series', report.series.length],
    ...entities.map(([type, rows]) => [`new ${type}`, rows.length] as const),
  ];
  return [`preview of ${report.dataset}`, [...accountFigures(report, MAX_PREVIEW_KINDS), ...found]];
}

/** Prints an import's figures to standard output, and the path of the file of rejected rows to standard error. */
async function printReport(
  context: CommandContext,
  report: ImportOutcome | DryRunReport,
  { json, rejects, store }: { json?: boolean | undefined; rejects: RejectsFile; store?: string },
): Promise<void> {
  const { rejected: _, ...counts } = { rejected: [], ...report };
  await rejects.removeEarlier();
  const rejects_file = rejects.count === 0 ? null : rejects.path;
  if (json === true) return writeJson(context.stdout, { ...counts, rejects_file, ...(store && { store }) });
  const [title, shown] = reportFigures(report);
  const table = formatAlignedTable(shown, [
    { title, of: ([name]) => `  ${name}` },
    { title: '', align: 'right', of: ([, count]) => count.toLocaleString('en-US') },
  ]);
  await writeLine(context.stdout, table.trimEnd());
  if (report.rows > 0 && report.points + report.nulls === 0)
    await note(context, 'no row in the files became a point');
  for (const text of report.notes) await note(context, text);
  if (rejects_file !== null) await writeLine(context.stderr, describeRejects(rejects));
}

async function printPoints(context: CommandContext, { dates, units, sample }: DryRunReport): Promise<void> {
  if (dates === null) return writeLine(context.stdout, 'no points');
  await writeLine(
    context.stdout,
    `  dates  ${dates.start_date} to ${dates.end_date}\n  units  ${units.join(', ')}\n`,
  );
  const table = formatAlignedTable(sample, [
    { title: 'first points', of: ({ metric }) => metric },
    { title: 'item', of: ({ item }) => item },
    { title: 'region', of: ({ region }) => region },
    { title: 'from', of: ({ start_date }) => start_date },
    { title: 'to', of: ({ end_date }) => end_date },
    { title: 'value', align: 'right', of: ({ value }) => value ?? 'null' },
    { title: 'unit', of: ({ unit }) => unit },
    { title: 'reported', of: ({ reporting_date }) => reporting_date },
    { title: 'available', of: ({ available_date }) => available_date },
  ]);
  await writeLine(context.stdout, table.trimEnd());
}
