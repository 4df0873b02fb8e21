import { dayPeriod, type Period } from '../../model/calendar.js';
import { frequencyId } from '../../model/frequency.js';
import type { ImporterSettings } from '../../model/importing/job.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { parseRowNumber } from '../reading/row-values.js';
import {
  hasColumns,
  isTable,
  type RowReader,
  readTables,
  type TableFormat,
  type TableKind,
} from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { countryRegionId } from '../regions/ids.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { sourceUnit, unitId } from '../vocabulary/units.js';
import { type CotColumn, type CotMeasure, foldColumn, readCotColumns } from './columns.js';
import { createDateReader } from './dates.js';
import { CotMarkets } from './markets.js';
import { cotRelease } from './release.js';
import {
  type CotReport,
  DISAGGREGATED_REPORT,
  findPositions,
  LEGACY_REPORT,
  parsePositions,
} from './reports.js';

const DATASET = 'cot';
const WEEKLY = frequencyId('weekly');
const UNITED_STATES = countryRegionId(840);

/**
 * CFTC Commitments of Traders: the yearly files of the legacy and the disaggregated report, futures only and combined
 * with options, each report a source of its own. Positions are those at the end of a day, mostly a Tuesday; the release,
 * mostly the Friday after, is the reporting date. Open interest, positions, numbers of traders and concentration are
 * read; changes and shares, which follow from them, are counted as not read.
 */
export const cot: Importer = {
  dataset: DATASET,
  summary: 'CFTC Commitments of Traders: legacy and disaggregated, yearly files (text or zip)',
  needsFiles: true,
  counts: 'values',
  recognises: (beginning) => isTable([LEGACY, DISAGGREGATED], beginning),
  read: readCot,
};

const LEGACY = createKind('a legacy report', 'Noncommercial Positions-Long (All)');
const DISAGGREGATED = createKind('a disaggregated report of the CFTC', 'Prod_Merc_Positions_Long_All');

function createKind(name: string, column: string): TableKind {
  const wanted = [column, 'CFTC Contract Market Code'].map(foldColumn);
  return {
    name,
    delimiter: ',',
    quotes: true,
    matches: (fields) => hasColumns(fields.map(foldColumn), wanted),
  };
}

async function* readCot(input: ImporterInput): AsyncGenerator<ImportBatch> {
  const { files, importedMs, settings = {}, signal } = input;
  yield* readReferenceData([
    SOURCES.cotLegacyFutures,
    SOURCES.cotLegacyCombined,
    SOURCES.cotDisaggregatedFutures,
    SOURCES.cotDisaggregatedCombined,
  ]);
  const batch = await BatchBuilder.create(input);
  const job = { batch, importedMs, settings, markets: new CotMarkets(batch) };
  const formats = [
    createFormat(LEGACY, LEGACY_REPORT, job),
    createFormat(DISAGGREGATED, DISAGGREGATED_REPORT, job),
  ];
  yield* readTables({ dataset: DATASET, files, signal }, formats, batch);
}

interface CotJob {
  readonly batch: BatchBuilder;
  readonly importedMs: number;
  readonly settings: ImporterSettings;
  readonly markets: CotMarkets;
}

function createFormat(kind: TableKind, report: CotReport, job: CotJob): TableFormat {
  return {
    ...kind,
    createRowReader: (header, { name }) => createRowReader(header, { ...job, report, file: name }),
    valueColumns: (header) => {
      const { read, notRead } = readCotColumns(header);
      return { read: read.length, notRead };
    },
  };
}

interface FileJob extends CotJob {
  readonly report: CotReport;
  readonly file: string;
}

function createRowReader(header: readonly string[], job: FileJob): RowReader {
  const folded = header.map(foldColumn);
  const readDate = createDateReader(folded, { dataset: DATASET, file: job.file });
  const sourceOf = createSourceReader(folded, job);
  const marketOf = createMarketReader(folded, job.markets);
  const columns = readCotColumns(header).read.map((column) => resolveColumn(column, job.batch));
  const timesOf = new Map<number, CotTimes>();
  return (fields) => {
    const asOfMs = readDate(fields);
    const times = getOrCompute(timesOf, asOfMs, () => cotTimes(asOfMs, job.importedMs));
    const place = {
      item_id: marketOf(fields),
      region_id: UNITED_STATES,
      partner_region_id: 0,
      source_id: sourceOf(fields),
      frequency_id: WEEKLY,
    };
    for (const { at, name, metricId: metric_id, unitId } of columns) {
      const text = fields[at]!.trim();
      if (text === '') job.batch.skip('empty cells');
      else job.batch.addPoint({ metric_id, ...place }, { ...times, value: parseFigure(text, name), unitId });
    }
  };
}

interface CotTimes extends Period {
  readonly reportingMs: number;
  readonly availableMs: number;
}

function cotTimes(asOfMs: number, importedMs: number): CotTimes {
  const { reportingMs, availableMs } = cotRelease(asOfMs);
  return { ...dayPeriod(asOfMs), reportingMs, availableMs: Math.min(availableMs, importedMs) };
}

/** A number of traders below four in the disaggregated report, and what cannot be computed. */
const WITHHELD = '.';

function parseFigure(text: string, name: string): number | null {
  return text === WITHHELD ? null : parseRowNumber(text, name);
}

/** A reader of a row's market, as an item. */
function createMarketReader(
  folded: readonly string[],
  markets: CotMarkets,
): (fields: readonly string[]) => number {
  const names = ['cftccontractmarketcode', 'marketandexchangenames', 'cftccommoditycode'];
  const [codeAt, nameAt, commodityAt] = names.map((name) => folded.indexOf(name));
  const read = (fields: readonly string[], at: number | undefined): string => fields[at!]?.trim() ?? '';
  return (fields) =>
    markets.resolve({
      code: read(fields, codeAt),
      name: read(fields, nameAt),
      commodity: read(fields, commodityAt),
    });
}

/** A reader of a row's source. The disaggregated report says on each row what its positions include. */
function createSourceReader(
  folded: readonly string[],
  { report, settings, file }: FileJob,
): (fields: readonly string[]) => number {
  const at = folded.indexOf('futonlyorcombined');
  if (at >= 0) return (fields) => report[parsePositions(fields[at]!.trim(), settings.positions)];
  const source = report[findPositions(file, settings.positions)];
  return () => source;
}

interface ResolvedColumn {
  readonly at: number;
  readonly name: string;
  readonly metricId: number;
  readonly unitId: number;
}

function resolveColumn({ at, measure }: CotColumn, batch: BatchBuilder): ResolvedColumn {
  return {
    at,
    name: measure.name,
    metricId: resolveMetric(measure, batch),
    unitId: resolveUnit(measure, batch),
  };
}

function resolveMetric({ name, definition, alias }: CotMeasure, batch: BatchBuilder): number {
  if (name === 'Open interest') return metricId(name);
  const belongsTo = [metricId('Futures positions')];
  return batch.addNamedEntity('metrics', `cot:metric:${name}`, {
    name,
    definition,
    belongsTo,
    aliases: [alias],
  });
}

function resolveUnit({ unit }: CotMeasure, batch: BatchBuilder): number {
  if (unit === '%') return unitId('%');
  return batch.addNamedEntity('units', `cot:unit:${unit}`, { ...sourceUnit(unit), namePlural: `${unit}s` });
}
