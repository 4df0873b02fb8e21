import { yearOf } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import { calendarDay, utcDay } from '../../model/time.js';
import { BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import type { InputText } from '../reading/input-files.js';
import { readLineBlocks, splitLines } from '../reading/line-blocks.js';
import { RowSink } from '../reading/row-sink.js';
import { assertFieldCount, parseRowInteger, parseRowNumber } from '../reading/row-values.js';
import { type ReadingProgress, readTexts } from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { type Locator, loadRegionLocator } from '../regions/locate.js';
import { pointRegion } from '../regions/new-regions.js';
import { SOURCES } from '../vocabulary/sources.js';
import { HEADER_BEGIN, HEADER_END, type PowerHeader, parsePowerHeader } from './header.js';
import { type PowerParameter, resolveParameter } from './parameters.js';

const DATASET = 'power';
const DAILY = frequencyId('daily');

/**
 * NASA POWER: daily data of one point as CSV, one row per day, after a header with location, parameters and units.
 * Missing values are skipped. Days are those of the file's time standard, local solar time or UTC.
 */
export const power: Importer = {
  dataset: DATASET,
  summary: 'NASA POWER: daily data of a point (CSV with header)',
  needsFiles: true,
  counts: 'values',
  recognises: (beginning) => beginning.startsWith(HEADER_BEGIN),
  read: readPower,
};

async function* readPower({
  files,
  importedMs,
  identities,
  signal,
}: ImporterInput): AsyncGenerator<ImportBatch> {
  yield* readReferenceData([SOURCES.nasaPower]);
  const batch = await BatchBuilder.create({ identities });
  const job = { batch, importedMs, locator: await loadRegionLocator() };
  yield* readTexts({ dataset: DATASET, files, signal }, batch, (text, progress) =>
    readPoint(text, job, progress),
  );
}

interface PowerJob {
  readonly batch: BatchBuilder;
  readonly importedMs: number;
  readonly locator: Locator;
}

async function* readPoint(
  { name, chunks }: InputText,
  job: PowerJob,
  progress: ReadingProgress,
): AsyncGenerator<undefined> {
  const header: string[] = [];
  let isHeaderRead = false;
  let sink: RowSink<string> | undefined;
  for await (const block of readLineBlocks(chunks)) {
    for (const { text, line } of splitLines(block)) {
      if (text.trim() === '') continue;
      if (line === 1 && !text.startsWith(HEADER_BEGIN)) throw notPowerError(name, line);
      if (!isHeaderRead) {
        isHeaderRead = text.startsWith(HEADER_END);
        header.push(text);
      } else if (sink === undefined) {
        sink = createRowSink(text, { ...job, file: name, line, header });
      } else {
        progress.rows++;
        sink.write(text, line);
        if (job.batch.isFull) yield undefined;
      }
    }
  }
  if (sink === undefined) throw notPowerError(name, 1);
  sink.close();
}

/** A sink of the rows below a line with the names of the columns. */
function createRowSink(
  columns: string,
  job: PowerJob & { readonly file: string; readonly line: number; readonly header: readonly string[] },
): RowSink<string> {
  const header = parsePowerHeader(job.header);
  if (header === null) throw notPowerError(job.file, job.line);
  const names = columns.split(',');
  const addRow = createRowAdder(names, header, job);
  const values = names.filter((name) => !DATE_COLUMNS.includes(name));
  const notRead = values.filter((name) => !header.parameters.has(name));
  return new RowSink({
    batch: job.batch,
    file: job.file,
    addRow: (row) => addRow(row.split(',')),
    formatRow: String,
    columns: { read: values.length - notRead.length, notRead },
  });
}

function notPowerError(file: string, line: number): IngestError {
  const message = `${file} is not a daily point of NASA POWER: it has no header with location and parameters`;
  return new IngestError(DATASET, message, { file, row: line });
}

interface Column {
  readonly name: string;
  readonly at: number;
  readonly parameter: PowerParameter;
}

function createRowAdder(
  columns: readonly string[],
  header: PowerHeader,
  { batch, importedMs, locator, file }: PowerJob & { file: string },
): (fields: readonly string[]) => void {
  const day = createDateReader(columns, file);
  const region_id = resolveGridPoint(header, locator, batch);
  const parameters = columns.flatMap((name, at): Column[] => {
    const described = header.parameters.get(name);
    return described === undefined ? [] : [{ name, at, parameter: resolveParameter(name, described, batch) }];
  });
  const place = { region_id, partner_region_id: 0, source_id: SOURCES.nasaPower.id, frequency_id: DAILY };
  const missing = `missing values (${header.missing})`;
  return (fields) => {
    assertFieldCount(fields, columns);
    const ms = day(fields);
    for (const { name, at, parameter } of parameters) {
      const value = parseRowNumber(fields[at]!, name);
      if (value === header.missing) {
        batch.skip(missing);
        continue;
      }
      const { metricId, itemId, unitId } = parameter;
      batch.addPoint(
        { metric_id: metricId, item_id: itemId, ...place },
        { startMs: ms, endMs: ms, value, unitId, reportingMs: null, availableMs: importedMs },
      );
    }
  };
}

const DATE_COLUMNS = ['YEAR', 'DOY', 'MO', 'DY'];

/** A reader of a row's date: year and day of the year, or year, month and day. */
function createDateReader(columns: readonly string[], file: string): (fields: readonly string[]) => number {
  const [yearAt, dayOfYearAt, monthAt, dayAt] = DATE_COLUMNS.map((name) => columns.indexOf(name));
  if (yearAt! < 0 || (dayOfYearAt! < 0 && (monthAt! < 0 || dayAt! < 0))) throw notPowerError(file, 1);
  return (fields) => {
    const year = parseRowInteger(fields[yearAt!]!, 'year');
    if (dayOfYearAt! >= 0)
      return dayOfYearMs(year, parseRowInteger(fields[dayOfYearAt!]!, 'day of the year'));
    const [month, day] = [
      parseRowInteger(fields[monthAt!]!, 'month'),
      parseRowInteger(fields[dayAt!]!, 'day'),
    ];
    const ms = calendarDay(year, month, day);
    if (ms === null) throw new RowError(`day ${day} of month ${month} of ${year} is not in the calendar`);
    return ms;
  };
}

function dayOfYearMs(year: number, day: number): number {
  const ms = utcDay(year, 1, day);
  if (yearOf(ms) !== year) throw new RowError(`day ${day} of ${year} is not in the calendar`);
  return ms;
}

function resolveGridPoint(
  { latitude, longitude }: PowerHeader,
  locator: Locator,
  batch: BatchBuilder,
): number {
  const identity = `POWER:${latitude},${longitude}`;
  const name = `${Math.abs(latitude)}° ${latitude < 0 ? 'S' : 'N'}, ${Math.abs(longitude)}° ${longitude < 0 ? 'W' : 'E'}`;
  const definition =
    'Place for which NASA POWER was asked; its figures are those of the grid cell around it.';
  const place = { name, definition, latitude, longitude, aliases: [identity] };
  return batch.addNamedEntity('regions', identity, pointRegion(place, locator));
}
