import { type Command, Option } from 'commander';
import { IMPORTERS } from '../../ingest/datasets.js';
import { type Importer, type ImportReport, importDataset } from '../../ingest/importer.js';
import { ArgumentError } from '../../model/errors.js';
import { Interruption } from '../exit-codes.js';
import { type CommandContext, remark, writeJson, writeLine } from '../io.js';
import { wholeNumber } from '../option-values.js';
import { clearProgress, watched } from '../progress.js';
import { RejectsFile, watchingRejects } from '../rejects.js';
import { withStore } from '../store-file.js';
import { alignedTable, writeTable } from '../text-table.js';

interface ImportOptions {
  store?: string;
  list?: boolean;
  rejects?: string;
  maxRejects?: number;
  json?: boolean;
}

const HELP = `
Importing the same files again changes nothing; newer figures become revisions. An import that fails or is
interrupted leaves the store as it was. Rows that cannot be used are left out, and written to a file with the reason
of each. Too many of them undo the import: more than 5 % of all rows, or what --max-rejects says (0: not one).

Examples:
  $ cropframe import --list
  $ cropframe import demo --store farm.duckdb
  $ cropframe import nass qs.crops_20260101.txt.gz --store farm.duckdb --max-rejects 0`;

/** `cropframe import`: a public data set becomes part of a store. */
export function addImportCommand(program: Command, context: CommandContext): void {
  program
    .command('import')
    .summary('load a public data set into a store')
    .description('Load a public data set into a store, which is made when there is none.')
    .argument('[dataset]', 'the data set; --list tells which there are')
    .argument('[files...]', 'its files: as downloaded, also gzip or zip')
    .option('--store <file>', 'file of the store')
    .option('--list', 'list the data sets that can be imported')
    .option('--rejects <file>', 'where rejected rows go (default: <dataset>-rejects.csv)')
    .addOption(
      new Option(
        '--max-rejects <n>',
        'rejected rows that are allowed; more of them undo the import (default: 5 % of all)',
      ).argParser(wholeNumber(0)),
    )
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', HELP)
    .action((dataset: string | undefined, files: string[], options: ImportOptions) =>
      options.list === true
        ? listDatasets(context, options)
        : runImport(context, { dataset, files, ...options }),
    );
}

async function listDatasets(context: CommandContext, { json }: ImportOptions): Promise<void> {
  const datasets = [...IMPORTERS.values()].map(({ dataset, summary, needsFiles }) => ({
    dataset,
    summary,
    needs_files: needsFiles,
  }));
  if (json === true) return writeJson(context.stdout, datasets);
  const rows = datasets.map((one) => [one.dataset, one.needs_files ? 'yes' : 'no', one.summary]);
  return writeTable(context, [{ title: 'dataset' }, { title: 'files' }, { title: 'what it holds' }], rows);
}

const WHEN_BUSY = 'stop that process, import, and start it again';

interface ImportRequest extends ImportOptions {
  readonly dataset: string | undefined;
  readonly files: readonly string[];
}

async function runImport(context: CommandContext, request: ImportRequest): Promise<void> {
  const { importer, store } = readRequest(request);
  const rejects = new RejectsFile(request.rejects ?? `${importer.dataset}-rejects.csv`);
  const { maxRejects } = request;
  const watchedImporter = watchingRejects(importer, { rejects, max: maxRejects ?? Number.POSITIVE_INFINITY });
  const allowed = maxRejects === undefined ? {} : { maxRejectedShare: 1 };
  try {
    const report = await withStore(store, { to: 'create', whenBusy: WHEN_BUSY }, (opened) =>
      importDataset(opened, watchedImporter, { files: request.files, ...allowed, ...watched(context) }),
    );
    await tellSummary(context, { report, rejects, store, json: request.json === true });
  } catch (error) {
    clearProgress(context);
    if (rejects.count > 0) await writeLine(context.stderr, rejectsLine(rejects));
    if (!(error instanceof Interruption)) throw error;
    throw new Interruption(error.by, `interrupted; the import was rolled back, ${store} is as it was before`);
  } finally {
    await rejects.close();
  }
}

function readRequest({ dataset, files, store }: ImportRequest): { importer: Importer; store: string } {
  if (dataset === undefined) {
    throw new ArgumentError('dataset', 'name a data set; "cropframe import --list" tells which there are');
  }
  const importer = IMPORTERS.get(dataset);
  if (importer === undefined) {
    const known = [...IMPORTERS.keys()].join(', ');
    throw new ArgumentError('dataset', `there is no data set "${dataset}"; there are ${known}`);
  }
  if (importer.needsFiles && files.length === 0) {
    throw new ArgumentError(
      'files',
      `${dataset} needs its files: cropframe import ${dataset} FILE… --store STORE`,
    );
  }
  if (!importer.needsFiles && files.length > 0) {
    throw new ArgumentError('files', `${dataset} takes no files; leave out ${files.join(' ')}`);
  }
  if (store === undefined) throw new ArgumentError('store', 'say where to: give --store FILE');
  return { importer, store };
}

interface Summary {
  readonly report: ImportReport;
  readonly rejects: RejectsFile;
  readonly store: string;
  readonly json: boolean;
}

async function tellSummary(
  context: CommandContext,
  { report, rejects, store, json }: Summary,
): Promise<void> {
  const { rejected: _, ...counts } = report;
  const rejects_file = rejects.count === 0 ? null : rejects.path;
  if (json) return writeJson(context.stdout, { ...counts, rejects_file, store });
  const rows = [
    ['rows read', report.rows],
    ['added', report.added],
    ['of these revisions', report.revised],
    ['unchanged', report.unchanged],
    ['rejected', report.rejectedRows],
    ['new series', report.series],
    ['new entities', report.entities],
  ] as const;
  const table = alignedTable(
    [{ title: `imported ${report.dataset}` }, { title: '', align: 'right' }],
    rows.map(([name, count]) => [`  ${name}`, count.toLocaleString('en-US')]),
  );
  await writeLine(context.stdout, table.trimEnd());
  if (rejects_file !== null) await writeLine(context.stderr, rejectsLine(rejects));
  await remark(context, `\nserve it:  cropframe serve --store ${store} --open`);
}

function rejectsLine({ count, path }: RejectsFile): string {
  return `${count.toLocaleString('en-US')} rejected rows, each with its reason, are in ${path}`;
}
