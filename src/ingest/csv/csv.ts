import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { badArgument, IngestError } from '../../model/errors.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { unreadableFileError } from '../reading/input-files.js';
import { readTables, type TableFormat } from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { loadRegionLocator } from '../regions/locate.js';
import { addDefinitions } from './definitions.js';
import { NameResolver } from './names.js';
import { createNumberParser } from './numbers.js';
import { parseMapping } from './parse-mapping.js';
import { createColumnFilter, planMappedRows } from './plan-rows.js';
import { findShippedMapping, isShippedMapping } from './shipped/shipped-mappings.js';
import { detectTableKind, PARQUET_MAGIC, readTypedTable } from './typed/typed-table.js';

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
  const batch = await BatchBuilder.create(input);
  const sourceId = batch.addNamedEntity('sources', `csv:source:${mapping.source.name}`, mapping.source);
  const names = await NameResolver.create(batch, { ...input, rule: mapping.names });
  await addDefinitions({ mapping, batch, names, store });
  const locator = 'station' in mapping.region ? await loadRegionLocator() : null;
  const job = {
    mapping,
    names,
    locator,
    batch,
    parseNumber: createNumberParser(mapping.numbers),
    importedMs,
    sourceId,
  };
  const format: TableFormat = {
    name: 'a table of the mapping',
    delimiter: mapping.delimiter,
    matches: () => true,
    headerLine: mapping.header_line,
    plan: ({ file, header }) => planMappedRows({ file, header, hasTypes: false }, job),
  };
  const wantsEntry = (name: string): boolean => name.includes(mapping.entry ?? '');
  const options = {
    dataset: DATASET,
    decimal: mapping.numbers.decimal,
    wantsColumn: createColumnFilter(mapping),
    headerLine: mapping.header_line,
    sheet: mapping.sheet,
    signal,
  };
  const delimited: string[] = [];
  for (const file of files) {
    if ((await detectTableKind(file, DATASET)) === 'delimited') delimited.push(file);
    else yield* readTypedTable(file, { options, job });
  }
  if (delimited.length > 0 || files.length === 0)
    yield* readTables({ dataset: DATASET, files: delimited, signal, wantsEntry }, [format], batch);
  await names.keepIndexes();
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
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new IngestError(DATASET, `${basename(mapping)} is not valid JSON: ${reason}`, {
      file: mapping,
      cause,
    });
  }
}
