import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Period } from '../../model/calendar.js';
import { WORLD_REGION_ID } from '../../model/entity.js';
import { ArgumentError, IngestError } from '../../model/errors.js';
import { BatchBuilder, RowError } from '../batch/batch-builder.js';
import { foundation } from '../foundation.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { unreadable } from '../reading/input-files.js';
import { rowNumber } from '../reading/row-values.js';
import { type RowReader, readTables, type TableFormat } from '../reading/tables.js';
import { regionLocator } from '../regions/locate.js';
import { findUnitId } from '../vocabulary/units.js';
import { type MappedColumns, type MappedValue, mappedColumns, wantsColumnOf } from './columns.js';
import { mappedPeriod } from './dates.js';
import { type Mapping, parseMapping } from './mapping.js';
import { NameFinder } from './names.js';
import { isParquet, PARQUET_MAGIC } from './parquet-file.js';
import { readParquet } from './parquet-table.js';
import { type PlaceContext, regionReader } from './places.js';

const DATASET = 'csv';

/**
 * Any delimited table (plain, gzip or zip) or Parquet file, told by a mapping which columns mean what. Names are looked up among what the
 * store knows; what could mean several things is noted, and rows with names that mean nothing are rejected.
 */
export const csv: Importer = {
  dataset: DATASET,
  summary: 'Any other table (CSV, TSV or Parquet), with a mapping that says which columns mean what',
  needsFiles: true,
  recognises: (beginning) => beginning.startsWith(PARQUET_MAGIC),
  read: readCsv,
};

async function* readCsv(input: ImporterInput): AsyncGenerator<ImportBatch> {
  const { files, importedMs, settings, documents, signal } = input;
  const mapping = parseMapping(await mappingJson(settings?.mapping));
  yield* foundation([]);
  const batch = await BatchBuilder.create(input);
  const sourceId = batch.putNamed('sources', `csv:source:${mapping.source.name}`, mapping.source);
  const names = await NameFinder.create(batch, { documents, rule: mapping.names });
  const locator = 'station' in mapping.region ? await regionLocator() : null;
  const job = { mapping, names, locator, batch, importedMs, sourceId };
  const reader = (header: readonly string[], file: string): RowReader => rowReader(header, file, job);
  const format: TableFormat = {
    name: 'a table of the mapping',
    delimiter: mapping.delimiter,
    quotes: true,
    matches: () => true,
    rowReader: (header, { name }) => reader(header, name),
  };
  const { parquet, delimited } = await filesByKind(files);
  if (delimited.length > 0 || parquet.length === 0)
    yield* readTables({ dataset: DATASET, files: delimited, signal }, [format], batch);
  const wantsColumn = wantsColumnOf(mapping);
  for (const file of parquet)
    yield* readParquet({ dataset: DATASET, file, signal, batch, wantsColumn, rowReader: reader });
}

async function filesByKind(files: readonly string[]): Promise<{ parquet: string[]; delimited: string[] }> {
  const parquet: string[] = [];
  const delimited: string[] = [];
  for (const file of files) ((await isParquet(file)) ? parquet : delimited).push(file);
  return { parquet, delimited };
}

async function mappingJson(mapping: unknown): Promise<unknown> {
  if (mapping === undefined)
    throw new ArgumentError('mapping', 'mapping: say which columns mean what, by settings.mapping');
  if (typeof mapping !== 'string') return mapping;
  const text = await readFile(mapping, 'utf8').catch((cause) => {
    throw unreadable(DATASET, mapping, cause);
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new IngestError(DATASET, `${basename(mapping)} is no JSON: ${reason}`, { file: mapping, cause });
  }
}

interface CsvJob extends PlaceContext {
  readonly importedMs: number;
  readonly sourceId: number;
}

function rowReader(header: readonly string[], file: string, job: CsvJob): RowReader {
  const { mapping, names, importedMs, sourceId } = job;
  const columns = mappedColumns(header, file, mapping);
  const region = regionReader(header, file, job);
  return (fields) => {
    const partner = columns.partner?.(fields);
    const period = rowPeriod(fields, columns, mapping);
    const region_id = region(fields);
    const partner_region_id =
      partner === undefined ? WORLD_REGION_ID : names.id('regions', partner, mapping.partner_region?.level);
    const reportingMs = columns.reporting(fields);
    for (const column of columns.values) {
      const value = columnValue(fields, column, mapping);
      if (value === undefined) continue;
      // Written out, because copying objects into one another took most of the time of a row.
      job.batch.add(
        {
          metric_id: names.id('metrics', column.metric(fields)),
          item_id: names.id('items', column.item(fields)),
          region_id,
          partner_region_id,
          source_id: sourceId,
          frequency_id: mapping.frequency.id,
        },
        {
          startMs: period.startMs,
          endMs: period.endMs,
          value,
          unitId: unitNamed(column.unit(fields)),
          reportingMs,
          availableMs: importedMs,
        },
      );
    }
  };
}

function rowPeriod(fields: readonly string[], { start, end }: MappedColumns, mapping: Mapping): Period {
  const startMs = start(fields);
  if (startMs === null) throw new RowError('the date is empty');
  const period = mappedPeriod(startMs, mapping.frequency, mapping.first_month);
  const endMs = end(fields) ?? period.endMs;
  if (endMs < period.startMs) throw new RowError('the period ends before it begins');
  return { startMs: period.startMs, endMs };
}

/** Null where the text stands for a figure that the source lacks; undefined where the field is empty. */
function columnValue(
  fields: readonly string[],
  { at, column }: MappedValue,
  { missing }: Mapping,
): number | null | undefined {
  const text = fields[at]!.trim();
  if (text === '') return undefined;
  return missing.includes(text) ? null : rowNumber(text, column);
}

function unitNamed(name: string): number {
  const id = findUnitId(name);
  if (id === undefined) throw new RowError(`there is no unit called "${name}"`);
  return id;
}
