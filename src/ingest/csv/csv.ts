import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { badArgument, IngestError } from '../../model/errors.js';
import type { StoredIdentity } from '../../store/store.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import { DOCUMENT_REQUESTS } from '../fetching/document-requests.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { firstBytes, unreadableFileError } from '../reading/input-files.js';
import { hasColumns, isTable, readTables, type TableFormat } from '../reading/tables.js';
import { readTextRows } from '../reading/text-rows.js';
import { readReferenceData } from '../reference-data.js';
import { loadRegionLocator } from '../regions/locate.js';
import { addDefinitions } from './definitions.js';
import { DOCUMENT_NAMES, readDocument, withTables } from './documents.js';
import { stationIdentity } from './entities.js';
import { columnNames } from './fields.js';
import type { MappedSource } from './mapping.js';
import { createColumnFilter } from './match-columns.js';
import { createNameResolver } from './names.js';
import { createNumberParser } from './numbers.js';
import { type DataSet, type Mapping, parseDataSet } from './parse-mapping.js';
import { type CsvJob, planMappedRows } from './plan-rows.js';
import { tableKind } from './table-kind.js';
import { openParquet, type TypedTable, typedFileError } from './typed/parquet.js';
import { isWorkbook, openSheet } from './typed/workbook.js';

const DATASET = 'csv';

/** Any table that a document describes, which the setting `mapping` gives. */
export const csv: Importer = {
  dataset: DATASET,
  summary: 'Any other table (CSV, TSV, Parquet or .xlsx), with a mapping that gives each column its meaning',
  needsFiles: true,
  counts: 'values',
  recognises: (beginning) => beginning.startsWith(PARQUET_MAGIC),
  async *read(input) {
    yield* readDataSet(parseDataSet(await readMappingJson(input.settings?.mapping)), input);
  },
};

/** Returns the importer of a data set that is a document of the package. */
export function documentImporter(name: string): Importer {
  let parsed: DataSet | undefined;
  const dataSet = (): DataSet => {
    parsed ??= parseDataSet(readDocument(name));
    return parsed;
  };
  return {
    dataset: name,
    summary: dataSet().summary ?? name,
    needsFiles: true,
    counts: dataSet().forms.every(hasOneValue) ? 'rows' : 'values',
    fetch: DOCUMENT_REQUESTS.get(name),
    recognises: (beginning) => isTable(dataSet().forms.map(tableKind), beginning),
    read: (input) => readDataSet(dataSet(), input),
  };
}

/** Checks whether regions are searched by their names, other than by codes. */
const namesRegions = ({ region, partner_region, definitions }: Mapping): boolean =>
  definitions.regions.length > 0 ||
  [region, partner_region].some(
    (from) => from !== undefined && !('station' in from || ('code' in from && from.code !== undefined)),
  );

/** Checks whether all rows of a form have one figure, so that rows are counted. */
const hasOneValue = ({ values, other_columns }: Mapping): boolean =>
  values.length === 1 && values[0]!.columns === undefined && other_columns === 'ignore';

/**
 * Reads any delimited table (plain, gzip or zip), Parquet file or workbook (.xlsx) by the forms of a data set. Names are
 * resolved by the vocabulary, the region tree and the store. Ambiguous names are noted, and rows with unknown names are
 * rejected.
 */
async function* readDataSet({ name, forms }: DataSet, input: ImporterInput): AsyncGenerator<ImportBatch> {
  const { files, signal } = input;
  const [{ source }] = forms;
  yield* readReferenceData([]);
  const batch = await BatchBuilder.create(input, name?.toUpperCase() ?? source.name);
  const sourceId = addSource(source, batch);
  const jobs: CsvJob[] = [];
  for (const mapping of forms) jobs.push(await prepareJob(mapping, { batch, sourceId, input }));
  const formats = jobs.map(
    (job): TableFormat => ({
      ...tableKind(job.mapping),
      plan: ({ file, header, sample, skip }) => {
        const preamble = sample.split('\n').slice(0, skip).join('\n');
        return planMappedRows({ file, header, preamble, sample }, job);
      },
    }),
  );
  const wantsEntry = (path: string): boolean =>
    forms.some(({ entry }) => entry === undefined || entry.test(basename(path)));
  const delimited: string[] = [];
  for (const file of files)
    if ((await detectTableKind(file)) === 'delimited') delimited.push(file);
    else yield* readTypedFile(file, jobs, signal);
  if (delimited.length > 0 || files.length === 0)
    yield* readTables({ dataset: name ?? DATASET, files: delimited, signal, wantsEntry }, formats, batch);
}

async function prepareJob(
  mapping: Mapping,
  { batch, sourceId, input }: Pick<CsvJob, 'batch' | 'sourceId'> & { readonly input: ImporterInput },
): Promise<CsvJob> {
  const { settings = {} } = input;
  const names = await createNameResolver(batch, {
    ...input,
    rule: mapping.names,
    hasRegions: namesRegions(mapping),
  });
  const isLocated = mapping.definitions.regions.some(({ latitude }) => latitude !== undefined);
  const hasStations = mapping.region !== undefined && 'station' in mapping.region;
  const job = {
    mapping,
    names,
    locator: isLocated || hasStations ? await loadRegionLocator() : null,
    places: await storedPlaces(mapping.source.name, input.store),
    batch,
    parseNumber: createNumberParser(mapping),
    settings,
    hooks: await Promise.all(
      mapping.hooks.map(({ hook }) => hook.prepare?.({ batch, settings, dataset: mapping.name ?? DATASET })),
    ),
    importedMs: input.importedMs,
    sourceId,
  };
  await addDefinitions(job, input.store);
  return job;
}

/** Reads a file whose cells have types, by the first form that has its columns. */
async function* readTypedFile(
  file: string,
  jobs: readonly CsvJob[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ImportBatch> {
  const open = (await detectTableKind(file)) === 'parquet' ? openParquet : openSheet;
  for (const [i, job] of jobs.entries()) {
    const { mapping } = job;
    const isLast = i === jobs.length - 1;
    const options = { ...mapping, wantsColumn: createColumnFilter(mapping), signal };
    const table = await open(file, options).catch((error: unknown) => {
      if (isLast) throw error;
    });
    if (!table || !(isLast || hasColumns(columnNames(table.header), mapping.recognise?.columns ?? [])))
      continue;
    yield* readTypedTable(basename(file), table, job);
    return;
  }
}

function addSource({ id, ...source }: MappedSource, batch: BatchBuilder): number {
  if (id === undefined) return batch.addNamedEntity('sources', `csv:source:${source.name}`, source);
  batch.addEntity('sources', { ...source, id });
  return id;
}

async function storedPlaces(source: string, store: ImporterInput['store']): Promise<CsvJob['places']> {
  const beginning = stationIdentity(source, '');
  const isOwn = ({ type, identity }: StoredIdentity) => type === 'regions' && identity.startsWith(beginning);
  const own = ((await store?.identities()) ?? []).filter(isOwn);
  const codes = new Map(own.map(({ id, identity }) => [id, identity.slice(beginning.length)]));
  const regions = (await store?.lookup('regions', [...codes.keys()])) ?? [];
  return new Map(regions.map((region) => [codes.get(region.id)!, region]));
}

/** A mapping, read from its file or named where it is a text. @throws ArgumentError, IngestError */
export async function readMappingJson(mapping: unknown): Promise<unknown> {
  if (mapping === undefined)
    throw badArgument('mapping', 'missing; describe the columns in settings.mapping');
  if (typeof mapping !== 'string') return mapping;
  if (DOCUMENT_NAMES.includes(mapping)) return { extends: mapping };
  const text = await readFile(mapping, 'utf8').catch((cause) => {
    // A bare word is rather meant as the name of a mapping that ships.
    if (/^[\w-]+$/.test(mapping)) readDocument(mapping);
    throw unreadableFileError(DATASET, mapping, cause);
  });
  try {
    return withTables(JSON.parse(text.replace(/^\uFEFF/, '')), mapping);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new IngestError(DATASET, `${basename(mapping)} is not valid JSON: ${reason}`, {
      file: mapping,
      cause,
    });
  }
}

/**
 * Has the store read the rows of a file whose cells have types, which are written as a delimited text. In rejected rows
 * "line" is the number of the row.
 * @throws IngestError that names the file when it is damaged or does not have a column
 */
async function* readTypedTable(name: string, table: TypedTable, job: CsvJob): AsyncGenerator<ImportBatch> {
  const { batch } = job;
  const plan = planMappedRows({ file: name, ...table }, job);
  const form = { delimiter: ',', quotes: true, skip: 0, columns: table.header.length };
  const rows = yield* readTextRows({ rows: { name, ...table }, form, plan, batch });
  const note = table.note?.();
  if (note !== undefined) batch.addNote(`${name}: ${note}`);
  yield batch.take({ label: `reading ${name}`, done: rows, total: rows, unit: 'rows' });
}

/** The first four bytes of a Parquet file. */
const PARQUET_MAGIC = 'PAR1';
const ZIP_MAGIC = 'PK\x03\x04';
/** Of compound files: workbooks before Office Open XML, and protected ones. */
const COMPOUND_MAGIC = '\xd0\xcf\x11\xe0';

/**
 * The kind of a table's file by its first bytes; a file that cannot be read is delimited, whose reader says why.
 * @throws IngestError when it is a workbook of another kind
 */
export async function detectTableKind(file: string): Promise<'parquet' | 'workbook' | 'delimited'> {
  const magic = (await firstBytes(file, 4).catch(() => Buffer.alloc(0))).toString('latin1');
  if (magic === PARQUET_MAGIC) return 'parquet';
  if (magic === ZIP_MAGIC && (await isWorkbook(file))) return 'workbook';
  if (magic !== COMPOUND_MAGIC) return 'delimited';
  const what =
    'is a workbook of an older kind, or protected by a password; save it as .xlsx without one, or as CSV';
  throw typedFileError(file, what);
}
