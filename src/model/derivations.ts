import { type Calendar, MONTH_NAMES } from './calendar.js';
import type { PeriodLength, Unit } from './entity.js';

export interface Derivation {
  /** The words appended to the source metric's name. */
  readonly words: string;
  /** The unit of the derived values: `same` for the source metric's unit, a different unit, or null for no unit. */
  readonly unit: 'same' | Unit | null;
  /** Whether one value is divided by another, which requires a unit with a true zero. */
  readonly isRatio?: true;
}

const PERCENT = {
  id: 110,
  name: 'percent',
  namePlural: 'percent',
  abbreviation: '%',
  dimension: 'share',
  baseConvFactor: { factor: 1 },
} as const;
const RATIO = {
  id: 111,
  name: 'ratio',
  namePlural: 'ratios',
  abbreviation: 'ratio',
  dimension: 'share',
  baseConvFactor: { factor: 100 },
} as const;
/** The units of percentages and ratios. Their ids are the same in every store. */
export const DERIVED_UNITS = [PERCENT, RATIO];

const PERIODS: Readonly<Record<Calendar, string>> = {
  weekly: 'week',
  '10-day': 'dekad',
  monthly: 'month',
  quarterly: 'quarter',
  annual: 'year',
};
const AGGREGATES = { sum: 'sum', mean: 'mean', last: 'last value', min: 'minimum', max: 'maximum' } as const;

/** The name of a function that aggregates the values in a period. */
export type Aggregate = keyof typeof AGGREGATES;

const isRatio = true;

/** Checks whether ratios of a unit's values are meaningful. Temperature ratios, such as 20 °C to 10 °C, are not. */
export function hasTrueZero(unit: string): boolean {
  return !/°[CF]$|^([\d.]+ )?K$/.test(unit);
}

/** The name suffixes and units of the metrics that table operations and charts derive from other metrics. */
export const DERIVATIONS = {
  change: (years: number) => withSameUnit(`change from ${yearsEarlierText(years)}`),
  percentChange: (years: number) => inPercent(`percent change from ${yearsEarlierText(years)}`),
  ratio: (years: number) => ({ words: `ratio to ${yearsEarlierText(years)}`, unit: RATIO, isRatio }),
  anomaly: (reference: Reference) => withSameUnit(`anomaly${referenceText(reference)}`),
  percentAnomaly: (reference: Reference) => inPercent(`percent anomaly${referenceText(reference)}`),
  standardisedAnomaly: (reference: Reference) => ({
    words: `standardised anomaly${referenceText(reference)} in standard deviations`,
    unit: null,
  }),
  trailingMean: (window: PeriodLength) => withSameUnit(`trailing mean of ${lengthText(window)}`),
  aggregate: (how: Aggregate, calendar: Calendar, firstMonth: number) => {
    const from = firstMonth > 1 && (calendar === 'annual' || calendar === 'quarterly');
    return withSameUnit(
      `${AGGREGATES[how]} of each ${PERIODS[calendar]}${from ? ` from ${MONTH_NAMES[firstMonth - 1]}` : ''}`,
    );
  },
  index: () => ({ words: 'index, first value = 100', unit: null, isRatio }),
  weighted: (metric: string, item: string) => withSameUnit(`weighted by ${metric} of ${item}`),
  weightedRegions: () => withSameUnit('weighted'),
  acrossRegions: (how: 'sum' | 'mean', isWeighted: boolean) =>
    withSameUnit(`${isWeighted ? 'weighted ' : ''}${how} of regions`),
} satisfies Readonly<Record<string, (...given: never[]) => Derivation>>;

/** The first and last dates of a reference period. If a date is undefined, the period is unbounded on that side. */
type Reference = readonly [from: string | undefined, to: string | undefined];

/** Determines from its name whether a metric is a change or an anomaly, whose values can be positive or negative. */
export function isDeparture(metric: string): boolean {
  return /, (percent |standardised )?(anomaly|change from )/.test(metric);
}

/** Determines from its name whether a metric is the sum of the values in each calendar period. */
export function isSum(metric: string): boolean {
  return /, sum of each [\w-]+( from \w+)?$/.test(metric);
}

/** Returns a derived metric's id. It is negative, unlike the ids in stores, and is the same in every frame. */
export function derivedMetricId(metric_id: number, { words }: Pick<Derivation, 'words'>): number {
  // FNV-1a.
  let hash = metric_id;
  for (let at = 0; at < words.length; at++) hash = Math.imul(hash ^ words.charCodeAt(at), 16_777_619);
  return -1 - (hash & 0x7fff_ffff);
}

function withSameUnit(words: string): Derivation {
  return { words, unit: 'same' };
}

function inPercent(words: string): Derivation {
  return { words, unit: PERCENT, isRatio };
}

function yearsEarlierText(years: number): string {
  return years === 1 ? 'a year earlier' : `${years} years earlier`;
}

function referenceText([from, to]: Reference): string {
  if (from === undefined && to === undefined) return '';
  return ` against ${from ?? 'the first date'} to ${to ?? 'the last date'}`;
}

/** Formats a period length, such as `3 months` or `1 year and 6 months`. */
function lengthText(length: PeriodLength): string {
  const parts = (['years', 'months', 'days'] as const).flatMap((unit) => {
    const count = length[unit] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? unit.slice(0, -1) : unit}`];
  });
  return parts.join(' and ');
}
