import { dateParts } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import { BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { monthByPrefix } from '../reading/months.js';
import { describeFirstLine, peekText } from '../reading/peek.js';
import { RowSink } from '../reading/row-sink.js';
import { readTexts } from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { countryRegionId } from '../regions/ids.js';
import { type CountryNames, loadCountryNames } from '../regions/names.js';
import { resolveRegionName } from '../regions/statistical-groups.js';
import { marketingYear, usMarketingYearMonth } from '../usda/marketing-years.js';
import { releaseTime, usdaReleaseMs } from '../usda/release.js';
import { SOURCES } from '../vocabulary/sources.js';
import { readMatrices, type WasdeCell, type WasdeMatrix } from './matrices.js';
import { findWasdeUnit, resolveWasdeMetric } from './measures.js';
import { findBlock } from './tables.js';
import { parseWasdeValue } from './values.js';

const DATASET = 'wasde';

/**
 * USDA WASDE: monthly reports in XML. Each report revises the same marketing years. Its reporting date is the day of its
 * release, which the XML does not contain, and its figures are available from that day on. Tables that are not imported are counted as not read. So are two things that another report or table has:
 * projections of the month before, and the row of the United States in tables of the world. Marketing years are those of
 * the United States.
 */
export const wasde: Importer = {
  dataset: DATASET,
  summary: 'USDA WASDE: monthly reports in XML (wasdeMMYY.xml)',
  needsFiles: true,
  counts: 'values',
  recognises: (beginning) => /^\s*</.test(beginning) && /wasde|sub_report_title/i.test(beginning),
  read: readWasde,
};

async function* readWasde({
  files,
  importedMs,
  settings,
  identities,
  signal,
}: ImporterInput): AsyncGenerator<ImportBatch> {
  const releasedMs =
    settings?.released === undefined ? null : parseTime(settings.released, 'settings.released');
  yield* readReferenceData([SOURCES.wasde]);
  const countries = await loadCountryNames();
  const batch = await BatchBuilder.create({ identities });
  yield* readTexts({ dataset: DATASET, files, signal }, batch, async function* ({ name, chunks }, progress) {
    let found = 0;
    batch.ignoreLines();
    const peeked = await peekText(chunks);
    if (!/^(\uFEFF)?\s*</.test(peeked.sample)) throw notReportError(name, describeFirstLine(peeked.head));
    await readMatrices(peeked.chunks, (matrix) => {
      found++;
      progress.rows += matrix.cells.length;
      addMatrix(matrix, { batch, countries, importedMs, releasedMs, file: name });
    });
    if (found === 0) throw notReportError(name, 'it has no tables');
    yield;
  });
}

interface MatrixJob {
  readonly batch: BatchBuilder;
  readonly countries: CountryNames;
  readonly importedMs: number;
  /** The day of the release that the settings say; null where they say none. */
  readonly releasedMs: number | null;
  readonly file: string;
}

function addMatrix(matrix: WasdeMatrix, job: MatrixJob): void {
  const block = findBlock(matrix.title, matrix.number);
  const report = parseReportMonth(matrix.reportMonth, job);
  const { batch } = job;
  const values = matrix.cells.length;
  if (block === undefined) {
    batch.countRows(values);
    batch.countNotRead(describeBlock(matrix), values);
    return;
  }
  if (report === null) {
    const reason = `the report month "${matrix.reportMonth}" is not a month`;
    batch.countRows(values);
    batch.reject({ file: job.file, line: matrix.line, reason, text: matrix.title, values });
    return;
  }
  const sink = new RowSink<WasdeCell>({
    batch,
    file: job.file,
    addRow: (cell) => addCell(cell, { ...job, matrix, block, report }),
    formatRow: ({ region, attribute, year, value }) =>
      `${matrix.title}, ${region} ${attribute}, ${year}: ${value}`,
  });
  for (const cell of matrix.cells) sink.write(cell, cell.line);
}

function describeBlock({ number, title }: WasdeMatrix): string {
  return number === 0 ? `figures outside the blocks of ${title}` : `block ${number} of ${title}`;
}

interface CellJob extends MatrixJob {
  readonly matrix: WasdeMatrix;
  readonly block: NonNullable<ReturnType<typeof findBlock>>;
  readonly report: ReportMonth;
}

function addCell(cell: WasdeCell, { matrix, block, report, batch, countries, importedMs }: CellJob): void {
  const value = parseWasdeValue(cell.value);
  if (value === null) {
    batch.skip('empty cells');
    return;
  }
  if (!isOwnMonth(cell.month, report)) {
    batch.skip('projections of the month before');
    return;
  }
  const isWorld = block.scope === 'world';
  if (isWorld && cell.region === 'United States') {
    batch.skip('the United States in tables of the world');
    return;
  }
  const { itemId } = block;
  const [, year, status = ''] = /^(\d{4})\/\d{2,4}\s*(.*)$/.exec(cell.year) ?? [];
  if (year === undefined) throw new RowError(`"${cell.year}" is not a marketing year`);
  const key = {
    metric_id: resolveWasdeMetric(cell.attribute, batch),
    item_id: itemId,
    region_id: isWorld
      ? resolveRegionName(cell.region, { countries, batch, dataset: DATASET })
      : UNITED_STATES,
    partner_region_id: 0,
    source_id: SOURCES.wasde.id,
    frequency_id: ANNUAL,
  };
  batch.addPoint(key, {
    ...marketingYear(Number(year), usMarketingYearMonth(itemId)),
    value: value.value,
    unitId: findWasdeUnit(cell.attribute, itemId, matrix),
    reportingMs: report.releasedMs - (report.releasedMs % DAY_MS),
    availableMs: Math.min(report.releasedMs, importedMs),
    metadata: formatMetadata(status, value.remarks),
  });
}

function formatMetadata(status: string, others: Readonly<Record<string, unknown>>): string | null {
  if (status === '' && Object.keys(others).length === 0) return null;
  return JSON.stringify({ status: status || undefined, ...others });
}

const UNITED_STATES = countryRegionId(840);
const ANNUAL = frequencyId('annual');

interface ReportMonth {
  readonly month: number;
  /** The time of its release. */
  readonly releasedMs: number;
}

/** @throws IngestError when the settings say that the report was released in another month */
function parseReportMonth(text: string, { releasedMs, file }: MatrixJob): ReportMonth | null {
  const [, name, digits] = /^([A-Za-z]{3})[a-z]*\.?\s+(\d{4})$/.exec(text) ?? [];
  const month = monthByPrefix(name ?? '');
  if (month === 0) return null;
  const year = Number(digits);
  if (releasedMs === null) return { month, releasedMs: usdaReleaseMs(year, month) };
  const day = dateParts(releasedMs);
  if (day.year === year && day.month === month) return { month, releasedMs: releaseTime(releasedMs) };
  const said = formatDay(releasedMs);
  throw new IngestError(
    DATASET,
    `${file} is the report of ${text}, which was not released on ${said}; import it by itself, with its own day`,
    { file },
  );
}

function isOwnMonth(label: string, { month }: ReportMonth): boolean {
  return label === '' || monthByPrefix(label) === month;
}

function notReportError(file: string, reason: string): IngestError {
  return new IngestError(DATASET, `${file} is not a WASDE report in XML: ${reason}`, { file });
}
