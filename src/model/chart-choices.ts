/**
 * The styles in which values can be drawn: `auto` chooses a style that suits the values, `normal` draws the values
 * unchanged, `zero` starts the axis at zero, `log` uses a logarithmic axis, `smooth` draws smooth lines over faint
 * daily values, `mean` draws rolling means, `usual` compares the latest year with earlier years, `index` divides each
 * value by the first one, `change` shows the change from the previous year, `yoy` shows that change in percent, and
 * `season` overlays all years on one calendar year.
 */
// biome-ignore format: one line
export const SCALES = ['auto', 'normal', 'zero', 'log', 'smooth', 'mean', 'usual', 'index', 'change', 'yoy', 'season'] as const;
export type Scale = (typeof SCALES)[number];

/** The formulas for combining two series, a and b. */
// biome-ignore format: one line
export const FORMULAS = ['none', 'a-share-of-b', 'b-share-of-a', 'a-over-b', 'b-over-a', 'a-minus-b', 'b-minus-a'] as const;
export type Formula = (typeof FORMULAS)[number];

export const MEAN_PERIODS = 5;

/** The calendar periods to which values can be resampled, each with the name of the resulting frequency. */
export const RESAMPLED = { week: 'weekly', month: 'monthly', quarter: 'quarterly', year: 'annual' } as const;
export type Every = keyof typeof RESAMPLED;
export const EVERY = Object.keys(RESAMPLED) as readonly Every[];

export const HOWS = ['mean', 'sum', 'last'] as const;
export type How = (typeof HOWS)[number];

/** Matches metrics and items whose values add up over time, such as rainfall. */
const AMOUNT = /\b(precipitation|rain|rainfall|snowfall|degree days?)\b/i;
/** Matches metrics that measure flows, such as production, and whose values therefore add up over time. */
const FLOW = /\b(production|sales|imports?|exports?|crush|use)\b/i;
/** Matches metrics whose values do not add up over time, because they are rates or are derived from amounts. */
const NO_AMOUNT = /\b(index|price|ratio)\b/i;

interface Measured {
  readonly metric: string;
  readonly item: string;
  readonly unit: string;
}

/** Returns the default aggregation for a period: the sum if the values add up over time, otherwise the mean. */
export function defaultAggregation(measured: Measured): 'sum' | 'mean' {
  const { metric, item } = measured;
  const isAmount = AMOUNT.test(`${metric} ${item}`) || FLOW.test(metric);
  return isAmount && canBeSummed(measured) ? 'sum' : 'mean';
}

/** Checks whether values can be added up over time. Rates, shares, prices and temperatures cannot. */
export function canBeSummed({ metric, unit }: Pick<Measured, 'metric' | 'unit'>): boolean {
  return !NO_AMOUNT.test(metric) && !/[/%]|°[CF]$/.test(unit);
}

/** Lists the aggregations of resampled series, such as `sum or mean`. Returns an empty string if there are none. */
export function aggregationNames(lines: readonly { readonly how?: How | null | undefined }[]): string {
  return [...new Set(lines.flatMap(({ how }) => how ?? []))].join(' or ');
}

/** The maximum number of series in one chart. More series could not be told apart. */
export const MAX_SERIES = 60;
