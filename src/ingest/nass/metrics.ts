import type { Dimension } from '../../model/unit-rows.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { metricId } from '../vocabulary/metrics.js';

/** The fields of a row that determine its metric. */
interface NassMetricText {
  /** The part of SHORT_DESC after the dash, without the unit: `YIELD`. */
  readonly what: string;
  /** The unit in SHORT_DESC: `BU / ACRE`; empty when it has none. */
  readonly measuredIn: string;
  /** The span of figures that are not of a whole year, quarter, month or week: `marketing year`. */
  readonly span: string;
  /** What the row's unit measures; null for units outside the vocabulary, and for second units of a figure. */
  readonly dimension: Dimension | null;
}

interface SharedMetric {
  readonly metric: string;
  /** Figures in units of another dimension have another metric. */
  readonly dimension: Dimension;
}

/** Metrics that other data sets have as well. A bushel without a legal weight is a volume. */
const SHARED: ReadonlyMap<string, readonly SharedMetric[]> = new Map(
  Object.entries<readonly SharedMetric[]>({
    'ACRES HARVESTED': [{ metric: 'Area harvested', dimension: 'area' }],
    'ACRES PLANTED': [{ metric: 'Area planted', dimension: 'area' }],
    ACRES: [{ metric: 'Area', dimension: 'area' }],
    YIELD: [{ metric: 'Yield', dimension: 'mass per area' }],
    PRODUCTION: [{ metric: 'Production quantity', dimension: 'mass' }],
    SALES: [{ metric: 'Sales quantity', dimension: 'mass' }],
    STOCKS: [{ metric: 'Stocks', dimension: 'mass' }],
    INVENTORY: [{ metric: 'Livestock count', dimension: 'count' }],
    'PRICE RECEIVED': [{ metric: 'Price', dimension: 'money per mass' }],
    'PRODUCTION, MEASURED IN BU': [{ metric: 'Production quantity', dimension: 'volume' }],
    'YIELD, MEASURED IN BU / ACRE': [{ metric: 'Yield', dimension: 'volume per area' }],
    'PRODUCTION, MEASURED IN $': [{ metric: 'Production value', dimension: 'money' }],
    'SALES, MEASURED IN $': [{ metric: 'Sales value', dimension: 'money' }],
  }),
);

/**
 * The metric of a row; adds one of NASS when the vocabulary has none. Spans and dimensions have metrics of their own, so
 * that no series mixes them.
 */
export function resolveNassMetric(text: NassMetricText, batch: BatchBuilder): number {
  const shared = findSharedMetric(text);
  if (shared !== undefined && text.span === '') return metricId(shared);
  if (shared === 'Price' && text.span === 'marketing year') return metricId('Average farm price');
  const full = fullName(text);
  const name = sentenceCase(shared ?? full) + (text.span === '' ? '' : `, ${text.span}`);
  const parent = shared ?? GROUPS.find(([pattern]) => pattern.test(text.what))?.[1];
  const definition = `Quick Stats of USDA NASS: ${full}${text.span === '' ? '' : `, ${text.span}`}.`;
  const belongsTo = parent === undefined ? [] : [metricId(parent)];
  const metric = { name, definition, belongsTo, aliases: [full] };
  return batch.addNamedEntity('metrics', `nass:metric:${full}|${text.span}`, metric);
}

const GROUPS: readonly (readonly [RegExp, string])[] = [
  [/^PROGRESS/, 'Crop progress'],
  [/^CONDITION/, 'Crop condition'],
  [/^PRICE/, 'Price'],
  [/^OPERATIONS/, 'Operations'],
];

function findSharedMetric({ what, measuredIn, dimension }: NassMetricText): string | undefined {
  const rows = [...(SHARED.get(fullName({ what, measuredIn })) ?? []), ...(SHARED.get(what) ?? [])];
  return rows.find((row) => row.dimension === dimension)?.metric;
}

function fullName({ what, measuredIn }: Pick<NassMetricText, 'what' | 'measuredIn'>): string {
  return measuredIn === '' ? what : `${what}, MEASURED IN ${measuredIn}`;
}

/** A text of Quick Stats, which is all upper case, in sentence case. */
export function sentenceCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}
