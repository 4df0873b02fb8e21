import { IngestError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import { BatchBuilder, RowError } from '../batch/batch-builder.js';
import { foundation } from '../foundation.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { dayMs } from '../periods.js';
import { firstLineOf, peekText } from '../reading/peek.js';
import { readTexts } from '../reading/tables.js';
import { countryRegionId } from '../regions/ids.js';
import { type CountryNames, countryNames } from '../regions/names.js';
import { putStatisticalRegion } from '../regions/statistical-groups.js';
import { marketingYear, usMarketingYearMonth } from '../usda/marketing-years.js';
import { usdaReleaseMs } from '../usda/release.js';
import { SOURCES } from '../vocabulary/sources.js';
import { readMatrices, type WasdeCell, type WasdeMatrix } from './matrices.js';
import { wasdeMetric, wasdeUnit } from './measures.js';
import { blockOf } from './tables.js';
import { parseWasdeValue } from './values.js';

const DATASET = 'wasde';

/**
 * USDA WASDE, the monthly XML. Every report is a revision of the same marketing years: its month is the reporting date,
 * and its figures become available on the twelfth, by which day nearly all reports have come out (the XML does not name the
 * day). A projection's column of the month before is that month's report and left to it, as the row of the United
 * States in tables of the world is left to the country's own table. Marketing years are those of the United States.
 */
export const wasde: Importer = {
  dataset: DATASET,
  summary: 'USDA WASDE: monthly reports in XML (wasdeMMYY.xml)',
  needsFiles: true,
  recognises: (beginning) => /^\s*</.test(beginning) && /wasde|sub_report_title/i.test(beginning),
  read: readWasde,
};

async function* readWasde({
  files,
  importedMs,
  identities,
  signal,
}: ImporterInput): AsyncGenerator<ImportBatch> {
  yield* foundation([SOURCES.wasde]);
  const countries = await countryNames();
  const batch = await BatchBuilder.create({ identities });
  yield* readTexts({ dataset: DATASET, files, signal }, batch, async function* ({ name, chunks }, progress) {
    let found = 0;
    const peeked = await peekText(chunks);
    if (!/^(\uFEFF)?\s*</.test(peeked.sample)) throw noReport(name, firstLineOf(peeked.head));
    await readMatrices(peeked.chunks, (matrix) => {
      found++;
      progress.rows += matrix.cells.length;
      addMatrix(matrix, { batch, countries, importedMs, file: name });
    });
    if (found === 0) throw noReport(name, 'it has no tables');
    yield;
  });
}

interface MatrixJob {
  readonly batch: BatchBuilder;
  readonly countries: CountryNames;
  readonly importedMs: number;
  readonly file: string;
}

function addMatrix(matrix: WasdeMatrix, job: MatrixJob): void {
  const block = blockOf(matrix.title, matrix.number);
  const reject = (reason: string, text: string, line = matrix.line): void =>
    job.batch.reject({ file: job.file, line, reason, text });
  const report = reportMonth(matrix.reportMonth);
  if (block === undefined || report === null) {
    const unread = `block ${matrix.number} of "${matrix.title}" is not read`;
    reject(
      block === undefined ? unread : `the report month "${matrix.reportMonth}" is no month`,
      matrix.title,
    );
    return;
  }
  for (const cell of matrix.cells) {
    try {
      addCell(cell, { ...job, matrix, block, report });
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      const text = `${matrix.title}, ${cell.region} ${cell.attribute}, ${cell.year}: ${cell.value}`;
      reject(error.message, text, cell.line);
    }
  }
}

interface CellJob extends MatrixJob {
  readonly matrix: WasdeMatrix;
  readonly block: NonNullable<ReturnType<typeof blockOf>>;
  readonly report: ReportMonth;
}

function addCell(cell: WasdeCell, { matrix, block, report, batch, countries, importedMs }: CellJob): void {
  const value = parseWasdeValue(cell.value);
  if (value === null || !isOwnMonth(cell.month, report)) return;
  const isWorld = block.place === 'world';
  if (isWorld && cell.region === 'United States') return;
  const { item_id } = block;
  const [, year, status = ''] = /^(\d{4})\/\d{2,4}\s*(.*)$/.exec(cell.year) ?? [];
  if (year === undefined) throw new RowError(`the marketing year "${cell.year}" is none`);
  const key = {
    metric_id: wasdeMetric(cell.attribute, batch),
    item_id,
    region_id: isWorld
      ? putStatisticalRegion(cell.region, { countries, batch, dataset: DATASET })
      : UNITED_STATES,
    partner_region_id: 0,
    source_id: SOURCES.wasde.id,
    frequency_id: ANNUAL,
  };
  batch.add(key, {
    ...marketingYear(Number(year), usMarketingYearMonth(item_id)),
    value: value.value,
    unitId: wasdeUnit(cell.attribute, item_id, [...matrix.units, matrix.subtitle]),
    reportingMs: report.firstMs,
    availableMs: Math.min(report.releasedMs, importedMs),
    metadata: remarks(status, value.remarks),
  });
}

function remarks(status: string, others: Readonly<Record<string, unknown>>): string | null {
  if (status === '' && Object.keys(others).length === 0) return null;
  return JSON.stringify({ ...(status === '' ? {} : { status }), ...others });
}

const UNITED_STATES = countryRegionId(840);
const ANNUAL = frequencyId('annual');
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

interface ReportMonth {
  readonly month: number;
  readonly firstMs: number;
  readonly releasedMs: number;
}

function reportMonth(text: string): ReportMonth | null {
  const [, name, digits] = /^([A-Za-z]{3})[a-z]*\.?\s+(\d{4})$/.exec(text) ?? [];
  const month = MONTHS.indexOf((name ?? '').toLowerCase()) + 1;
  if (month === 0) return null;
  const year = Number(digits);
  return { month, firstMs: dayMs(year, month, 1), releasedMs: usdaReleaseMs(year, month) };
}

function isOwnMonth(label: string, { month }: ReportMonth): boolean {
  return label === '' || MONTHS.indexOf(label.slice(0, 3).toLowerCase()) + 1 === month;
}

function noReport(file: string, why: string): IngestError {
  return new IngestError(DATASET, `${file} is not a WASDE report in XML: ${why}`, { file });
}
