import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { badArgument, IngestError } from '../../model/errors.js';
import type { StoredIdentity } from '../../store/store.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { firstBytes, unreadableFileError } from '../reading/input-files.js';
import { readTables, type TableFormat } from '../reading/tables.js';
import { readTextRows } from '../reading/text-rows.js';
import { readReferenceData } from '../reference-data.js';
import { loadRegionLocator } from '../regions/locate.js';
import { addDefinitions } from './definitions.js';
import { createColumnFilter } from './match-columns.js';
import { createNameResolver } from './names.js';
import { createNumberParser, createNumberTexts } from './numbers.js';
import { parseMapping } from './parse-mapping.js';
import { type CsvJob, planMappedRows, stationIdentity } from './plan-rows.js';
import { findShippedMapping, isShippedMapping } from './shipped/shipped-mappings.js';
import { openParquet, type TypedTable, typedFileError } from './typed/parquet.js';
import { isWorkbook, openSheet } from './typed/workbook.js';

const DATASET = 'csv';

/**
 * Any delimited table (plain, gzip or zip), Parquet file or workbook (.xlsx), read by a `Mapping` of its columns. Names are
 * resolved by the vocabulary, the region tree and the store. Ambiguous names are noted, and rows with unknown names are
 * rejected.
 */
export const csv: Importer = {
  dataset: DATASET,
  summary: 'Any other table (CSV, TSV, Parquet or .xlsx), with a mapping that gives each column its meaning',
  needsFiles: true,
  counts: 'values',
  recognises: (beginning) => beginning.startsWith(PARQUET_MAGIC),
  read: readCsv,
};

async function* readCsv(input: ImporterInput): AsyncGenerator<ImportBatch> {
  const { files, importedMs, settings, store, signal } = input;
  const mapping = parseMapping(await readMappingJson(settings?.mapping));
  yield* readReferenceData([]);
  const batch = await BatchBuilder.create(input, mapping.source.name);
  const sourceId = batch.addNamedEntity('sources', `csv:source:${mapping.source.name}`, mapping.source);
  const names = await createNameResolver(batch, { ...input, rule: mapping.names });
  const isLocated = mapping.definitions.regions.some(({ latitude }) => latitude !== undefined);
  const locator = isLocated || 'station' in mapping.region ? await loadRegionLocator() : null;
  const parseNumber = createNumberParser(mapping);
  const job = {
    mapping,
    names,
    locator,
    places: await storedPlaces(mapping.source.name, store),
    batch,
    parseNumber,
    missing: createNumberTexts(mapping.missing, parseNumber),
    empty: createNumberTexts(mapping.empty, parseNumber),
    importedMs,
    sourceId,
  };
  await addDefinitions(job, store);
  const format: TableFormat = {
    name: 'a table of the mapping',
    delimiter: mapping.delimiter,
    matches: () => true,
    headerLine: () => mapping.header_line,
    plan: ({ file, header }) => planMappedRows({ file, header }, job),
  };
  const wantsEntry = (name: string): boolean => basename(name).startsWith(mapping.entry ?? '');
  const options = { ...mapping, wantsColumn: createColumnFilter(mapping), signal };
  const delimited: string[] = [];
  for (const file of files) {
    const kind = await detectTableKind(file);
    const open = kind === 'parquet' ? openParquet : openSheet;
    if (kind === 'delimited') delimited.push(file);
    else yield* readTypedTable(basename(file), await open(file, options), job);
  }
  if (delimited.length > 0 || files.length === 0)
    yield* readTables({ dataset: DATASET, files: delimited, signal, wantsEntry }, [format], batch);
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
  if (isShippedMapping(mapping)) return { extends: mapping };
  const text = await readFile(mapping, 'utf8').catch((cause) => {
    // A bare word is rather meant as the name of a mapping that ships.
    if (/^[\w-]+$/.test(mapping)) findShippedMapping(mapping);
    throw unreadableFileError(DATASET, mapping, cause);
  });
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
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
