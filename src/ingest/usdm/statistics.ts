import { IngestError } from '../../model/errors.js';
import type { ImporterSettings } from '../../model/importing/job.js';
import { sampleRows } from '../reading/peek.js';
import { metricId } from '../vocabulary/metrics.js';
import { unitId } from '../vocabulary/units.js';

/** What the figures of a file count. */
type DroughtStatistic = NonNullable<ImporterSettings['statistic']>;

/** How the figures of a statistic are stored. */
interface DroughtMeasure {
  readonly metricId: number;
  readonly unitId: number;
  readonly isShare: boolean;
}

function measure(metric: string, unit: string): DroughtMeasure {
  return { metricId: metricId(metric), unitId: unitId(unit), isShare: unit === '%' };
}

export const DROUGHT_MEASURES: Readonly<Record<DroughtStatistic, DroughtMeasure>> = {
  area: measure('Drought area', 'sq mi'),
  'area-percent': measure('Drought area share', '%'),
  population: measure('Drought population', 'people'),
  'population-percent': measure('Drought population share', '%'),
};

/** Names of the service's operations, which files that are saved from it often have in theirs. */
const NAMED: readonly (readonly [RegExp, DroughtStatistic])[] = [
  [/ByAreaPercent/i, 'area-percent'],
  [/ByPopulationPercent/i, 'population-percent'],
  [/ByArea/i, 'area'],
  [/ByPopulation/i, 'population'],
];

/**
 * What the figures of a file count. All four statistics have the same columns, so the setting says it, or the name of
 * the service's operation in the name of the file. Figures that add up to 100 in most rows are shares.
 * @param totals what the categories of each of the first rows add up to
 * @throws IngestError when neither says it, they disagree, or the figures contradict it
 */
export function findStatistic(
  file: string,
  totals: readonly number[],
  setting: DroughtStatistic | undefined,
): DroughtStatistic {
  const named = NAMED.find(([name]) => name.test(file))?.[1];
  if (setting !== undefined && named !== undefined && setting !== named)
    throw statisticError(file, `its name says "${named}", but the setting "statistic" is "${setting}"`);
  const statistic = setting ?? named;
  if (statistic === undefined)
    throw statisticError(file, `it does not say what its figures count; set "statistic" to ${CHOICES}`);
  if (totals.length === 0) return statistic;
  const areShares = 2 * totals.filter(isWhole).length > totals.length;
  const { isShare } = DROUGHT_MEASURES[statistic];
  if (areShares === isShare) return statistic;
  const found = areShares
    ? 'add up to 100, as percentages do'
    : `do not add up to 100, but for example to ${totals.find((total) => !isWhole(total))}`;
  throw statisticError(file, `its figures ${found}, so they are not of the statistic "${statistic}"`);
}

/** Six figures with two decimals each, all of which may be rounded up. */
const MAX_ROUNDING = 0.05;

function isWhole(total: number): boolean {
  return Math.abs(total - 100) <= MAX_ROUNDING;
}

const CHOICES = '"area", "area-percent", "population" or "population-percent"';

function statisticError(file: string, what: string): IngestError {
  return new IngestError('usdm', `the statistic of ${file} is not clear: ${what}`, { file });
}

interface SampleColumns {
  /** Of None and the categories. */
  readonly positions: readonly number[];
  readonly formatAt: number;
  /** Number of all columns. */
  readonly columns: number;
}

/** What the categories of each row of a sample add up to; cumulative ones up to D0, which includes the others. */
export function sampleTotals(
  sample: string,
  { positions, formatAt, columns }: SampleColumns,
): readonly number[] {
  const rows = sampleRows(sample)
    .map((fields) => fields.map((field) => field.replace(/["\s,]/g, '')))
    .filter((fields) => fields.length === columns && /^[12]$/.test(fields[formatAt]!));
  return rows
    .map((fields) => positions.slice(0, fields[formatAt] === '1' ? 2 : 6).map((at) => fields[at]!))
    .filter((texts) => texts.every((text) => /^\d+(\.\d+)?$/.test(text)))
    .map((texts) => texts.reduce((sum, text) => sum + Number(text), 0));
}
