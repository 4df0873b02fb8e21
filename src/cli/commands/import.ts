import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { IMPORTERS, recogniseDatasets } from '../../ingest/datasets.js';
import { dryRun } from '../../ingest/dry-run.js';
import { type Importer, type ImportOptions, importDataset } from '../../ingest/importer.js';
import { ArgumentError, IngestError } from '../../model/errors.js';
import { watchedImport } from '../importing/import-progress.js';
import { loadedFigures, printReport, rejectsLine, triedFigures } from '../importing/import-report.js';
import { RejectsFile, watchingRejects } from '../importing/rejects.js';
import { wholeNumber } from '../options/option-values.js';
import { withStore } from '../options/store-file.js';
import { Interruption } from '../terminal/exit-codes.js';
import { type CommandContext, remark, writeJson, writeLine } from '../terminal/io.js';
import { clearProgress } from '../terminal/progress.js';
import { writeTable } from '../terminal/text-table.js';

interface CommandOptions {
  store?: string | undefined;
  list?: boolean | undefined;
  rejects?: string | undefined;
  maxRejects?: number | undefined;
  json?: boolean | undefined;
  dryRun?: boolean | undefined;
  mapping?: string | undefined;
  units?: 'standard' | 'metric' | undefined;
  keepFlagged?: boolean | undefined;
}

const HELP = `
Importing the same files again changes nothing; newer figures become revisions. An import that fails or is
interrupted leaves the store as it was. Rows that cannot be used are left out, and written to a file with the reason
of each. Too many of them undo the import: more than 5 % of all rows, or what --max-rejects says (0: not one).

Examples:
  $ cropframe import --list
  $ cropframe import demo --store farm.duckdb
  $ cropframe import csv trials.csv --mapping trials.json --dry-run
  $ cropframe import nass qs.crops_20260101.txt.gz --store farm.duckdb --max-rejects 0`;

/** `cropframe import`: a public data set becomes part of a store. */
export function addImportCommand(program: Command, context: CommandContext): void {
  program
    .command('import')
    .summary('load a public data set into a store')
    .description('Load a public data set into a store, which is made when there is none.')
    .addArgument(
      new Argument('[dataset]', 'the data set; --list tells which there are').choices([...IMPORTERS.keys()]),
    )
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
    .option('--dry-run', 'read the files, tell what would come of them, and keep nothing')
    .option('--json', 'print the summary as JSON')
    .option('--mapping <file>', 'csv: JSON that says which columns mean what')
    .addOption(
      new Option('--units <units>', 'cdo: units of a file that does not show them').choices([
        'standard',
        'metric',
      ]),
    )
    .option('--keep-flagged', 'weather: keep values that failed a quality check')
    .addHelpText('after', HELP)
    .action((dataset: string | undefined, files: string[], options: CommandOptions) =>
      options.list === true
        ? listDatasets(context, options)
        : runImport(context, { dataset, files, ...options }),
    );
}

async function listDatasets(context: CommandContext, { json }: CommandOptions): Promise<void> {
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

interface ImportRequest extends CommandOptions {
  readonly dataset: string | undefined;
  readonly files: readonly string[];
}

async function runImport(context: CommandContext, request: ImportRequest): Promise<void> {
  const importer = readImporter(request);
  const rejects = new RejectsFile(request.rejects ?? `${importer.dataset}-rejects.csv`);
  try {
    await (request.dryRun === true ? tryOut : load)(context, request, { importer, rejects });
  } catch (error) {
    clearProgress(context);
    if (rejects.count > 0) await writeLine(context.stderr, rejectsLine(rejects));
    throw await withLikelyDataset(error, request);
  } finally {
    await rejects.close();
  }
}

/** What is wrong with a file, and of which other data set it seems to be. */
async function withLikelyDataset(error: unknown, { dataset, files }: ImportRequest): Promise<unknown> {
  if (!(error instanceof IngestError)) return error;
  const [named] = error.file?.split('/') ?? [];
  const file = files.find((path) => basename(path) === named);
  const likely = file === undefined ? [] : await recogniseDatasets(file);
  if (likely.length === 0 || likely.includes(dataset!)) return error;
  const remedy = likely.map((other) => `cropframe import ${other} ${file}`).join(', or ');
  return new IngestError(dataset!, `${error.message}\nIt looks like ${likely.join(' or ')}: ${remedy}`, {
    file: error.file!,
    cause: error,
  });
}

interface Reading {
  readonly importer: Importer;
  readonly rejects: RejectsFile;
}

async function load(
  context: CommandContext,
  request: ImportRequest,
  { importer, rejects }: Reading,
): Promise<void> {
  const { store } = request;
  if (store === undefined) throw new ArgumentError('store', 'say where to: give --store FILE');
  try {
    const report = await withStore(store, { to: 'create', whenBusy: WHEN_BUSY }, (opened) =>
      importDataset(opened, watching(importer, { rejects, request }), readingOptions(context, request)),
    );
    const shown = loadedFigures(report);
    await printReport(context, {
      report,
      shown,
      json: request.json,
      rejects,
      title: `imported ${report.dataset}`,
      store,
    });
    await remark(context, `\nserve it:  cropframe serve --store ${store} --no-auth`);
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    throw new Interruption(error.by, `interrupted; the import was rolled back, ${store} is as it was before`);
  }
}

async function tryOut(
  context: CommandContext,
  request: ImportRequest,
  { importer, rejects }: Reading,
): Promise<void> {
  const options = readingOptions(context, request);
  const reading = watching(importer, { rejects, request });
  const { store: file } = request;
  const report =
    file !== undefined && existsSync(file)
      ? await withStore(file, { to: 'read', whenBusy: WHEN_BUSY }, (store) =>
          dryRun(reading, {
            ...options,
            documents: (type) => store.searchDocuments(type),
            identities: (type) => store.identities(type),
          }),
        )
      : await dryRun(reading, options);
  const shown = triedFigures(report);
  await printReport(context, {
    report,
    shown,
    json: request.json,
    rejects,
    title: `${report.dataset} would give`,
  });
}

function watching(
  importer: Importer,
  { rejects, request }: { rejects: RejectsFile; request: ImportRequest },
): Importer {
  return watchingRejects(importer, { rejects, max: request.maxRejects ?? Number.POSITIVE_INFINITY });
}

function readingOptions(context: CommandContext, request: ImportRequest): ImportOptions {
  const { files, keepFlagged, units, mapping, maxRejects } = request;
  return {
    files,
    settings: { keepFlagged, units, mapping },
    ...(maxRejects === undefined ? {} : { maxRejectedShare: 1 }),
    ...watchedImport(context),
  };
}

function readImporter({ dataset, files, mapping }: ImportRequest): Importer {
  if (dataset === undefined) {
    throw new ArgumentError('dataset', 'name a data set; "cropframe import --list" tells which there are');
  }
  const importer = IMPORTERS.get(dataset)!;
  if (importer.needsFiles && files.length === 0) {
    throw new ArgumentError(
      'files',
      `${dataset} needs its files: cropframe import ${dataset} FILE… --store STORE`,
    );
  }
  if (dataset === 'csv' && mapping === undefined) {
    throw new ArgumentError('mapping', 'csv needs --mapping FILE: JSON that says which columns mean what');
  }
  if (!importer.needsFiles && files.length > 0) {
    throw new ArgumentError('files', `${dataset} takes no files; leave out ${files.join(' ')}`);
  }
  return importer;
}
