import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Period } from '../../model/calendar.js';
import { WORLD_REGION_ID } from '../../model/entity.js';
import { ArgumentError, IngestError } from '../../model/errors.js';
import { BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { unreadableFileError } from '../reading/input-files.js';
import type { ValueColumns } from '../reading/row-sink.js';
import { type RowReader, readTables, type TableFormat } from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { loadRegionLocator } from '../regions/locate.js';
import { findUnitId, nearestUnit } from '../vocabulary/units.js';
import { bindColumns, createColumnFilter, type MappedColumns, type MappedValue } from './columns.js';
import { toMappedPeriod } from './dates.js';
import { type Mapping, parseMapping } from './mapping.js';
import { NameResolver } from './names.js';
import { createNumberParser } from './numbers.js';
import { readParquetRows } from './parquet-file.js';
import { createRegionReader, type PlaceContext } from './places.js';
import { detectTableKind, PARQUET_MAGIC } from './table-kind.js';
import { readTypedTable } from './typed-table.js';
import { readSheetRows } from './workbook-file.js';

const DATASET = 'csv';

/**
 * Any delimited table (plain, gzip or zip), Parquet file or workbook (.xlsx), read by a `Mapping` of its columns. Names are resolved by the
 * vocabulary, the region tree and the store. Ambiguous names are noted, and rows with unknown names are rejected.
 */
export const csv: Importer = {
  dataset: DATASET,
  summary: 'Any other table (CSV, TSV, Parquet or .xlsx), with a mapping that says which columns mean what',
  needsFiles: true,
  counts: 'values',
  recognises: (beginning) => beginning.startsWith(PARQUET_MAGIC),
  read: readCsv,
};

async function* readCsv(input: ImporterInput): AsyncGenerator<ImportBatch> {
  const { files, importedMs, settings, documents, signal } = input;
  const mapping = parseMapping(await readMappingJson(settings?.mapping));
  yield* readReferenceData([]);
  const batch = await BatchBuilder.create(input);
  const sourceId = batch.addNamedEntity('sources', `csv:source:${mapping.source.name}`, mapping.source);
  const names = await NameResolver.create(batch, { documents, rule: mapping.names });
  const locator = 'station' in mapping.region ? await loadRegionLocator() : null;
  const job = {
    mapping,
    names,
    locator,
    batch,
    parseNumber: createNumberParser(mapping.numbers),
    importedMs,
    sourceId,
    unknownUnits: new Map<string, string>(),
  };
  const createTypedReader = (header: readonly string[], file: string): RowReader =>
    createRowReader(header, file, { ...job, hasTypes: true });
  const wantsColumn = createColumnFilter(mapping);
  const valueColumns = (header: readonly string[]): ValueColumns => ({
    read: mapping.values.length,
    notRead: header.map((name, i) => name || `column ${i + 1}`).filter((name) => !wantsColumn(name)),
  });
  const format: TableFormat = {
    name: 'a table of the mapping',
    delimiter: mapping.delimiter,
    quotes: true,
    matches: () => true,
    headerLine: mapping.header_line,
    createRowReader: (header, { name }) => createRowReader(header, name, { ...job, hasTypes: false }),
    valueColumns,
  };
  const delimited: string[] = [];
  for (const file of files) {
    const kind = await detectTableKind(file, DATASET);
    if (kind === 'delimited') delimited.push(file);
    else {
      const { numbers, header_line, sheet } = mapping;
      const options = {
        dataset: DATASET,
        decimal: numbers.decimal,
        wantsColumn,
        headerLine: header_line,
        sheet,
      };
      const blocks = kind === 'parquet' ? readParquetRows(file, options) : readSheetRows(file, options);
      yield* readTypedTable({
        file,
        blocks,
        signal,
        batch,
        valueColumns,
        createRowReader: createTypedReader,
      });
    }
  }
  if (delimited.length > 0 || files.length === 0)
    yield* readTables({ dataset: DATASET, files: delimited, signal }, [format], batch);
}

async function readMappingJson(mapping: unknown): Promise<unknown> {
  if (mapping === undefined)
    throw new ArgumentError('mapping', 'mapping: missing; describe the columns in settings.mapping');
  if (typeof mapping !== 'string') return mapping;
  const text = await readFile(mapping, 'utf8').catch((cause) => {
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

interface CsvJob extends PlaceContext {
  readonly importedMs: number;
  readonly sourceId: number;
  /** What to say of each unknown unit. */
  readonly unknownUnits: Map<string, string>;
}

function createRowReader(
  header: readonly string[],
  file: string,
  job: CsvJob & { hasTypes: boolean },
): RowReader {
  const columns = bindColumns(header, file, job);
  const readRegion = createRegionReader(header, file, job);
  return (fields) => {
    const row = {
      period: parsePeriod(fields, columns, job.mapping),
      regionId: readRegion(fields),
      partnerRegionId: resolvePartner(columns.partner?.(fields), job),
      reportingMs: columns.reporting(fields),
    };
    for (const column of columns.values) addValue(fields, column, row, job);
  };
}

function resolvePartner(name: string | undefined, { mapping, names }: CsvJob): number {
  if (name === undefined) return WORLD_REGION_ID;
  return names.resolve('regions', name, mapping.partner_region?.level);
}

/** What all values of a row have in common. */
interface CsvRow {
  readonly period: Period;
  readonly regionId: number;
  readonly partnerRegionId: number;
  readonly reportingMs: number | null;
}

/** Adds the point of a column. The key and the point are written out: spreading took most of the time of a row. */
function addValue(fields: readonly string[], column: MappedValue, row: CsvRow, job: CsvJob): void {
  const value = parseValue(fields, column, job);
  if (value === undefined) {
    job.batch.skip('empty cells');
    return;
  }
  const key = {
    metric_id: job.names.resolve('metrics', column.metric(fields)),
    item_id: job.names.resolve('items', column.item(fields)),
    region_id: row.regionId,
    partner_region_id: row.partnerRegionId,
    source_id: job.sourceId,
    frequency_id: job.mapping.frequency.id,
  };
  job.batch.addPoint(key, {
    startMs: row.period.startMs,
    endMs: row.period.endMs,
    value,
    unitId: findUnit(column.unit(fields), job.unknownUnits),
    reportingMs: row.reportingMs,
    availableMs: job.importedMs,
  });
}

function parsePeriod(fields: readonly string[], { start, end }: MappedColumns, mapping: Mapping): Period {
  const startMs = start(fields);
  if (startMs === null) throw new RowError('the date is empty');
  const period = toMappedPeriod(startMs, mapping.frequency, mapping.first_month);
  const endMs = end(fields) ?? period.endMs;
  if (endMs < period.startMs) throw new RowError('the period ends before it begins');
  return { startMs: period.startMs, endMs };
}

/** The value of a field; null for a text of `missing`, undefined for an empty field. */
function parseValue(
  fields: readonly string[],
  { at, column }: MappedValue,
  { mapping, parseNumber }: CsvJob,
): number | null | undefined {
  const text = fields[at]!.trim();
  if (text === '') return undefined;
  return mapping.missing.includes(text) ? null : parseNumber(text, column);
}

/** @throws RowError that names the nearest unit */
function findUnit(name: string, unknownUnits: Map<string, string>): number {
  const id = findUnitId(name);
  if (id !== undefined) return id;
  throw new RowError(getOrCompute(unknownUnits, name, () => describeUnknownUnit(name)));
}

function describeUnknownUnit(name: string): string {
  const nearest = nearestUnit(name);
  const advice =
    nearest === undefined
      ? '"cropframe units" lists the units'
      : `did you mean "${nearest.abbreviation}" (${nearest.name})?`;
  return `there is no unit called "${name}"; ${advice}`;
}
