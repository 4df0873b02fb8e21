/**
 * How values are drawn: as suits them, as they are, from zero, on a logarithmic axis, as smooth lines over faint days, as means of
 * several periods, the latest year against the others, as a share of the first one, against the year before in units or in
 * percent, or year over year on one calendar.
 */
// biome-ignore format: one line
export const SCALES = ['auto', 'normal', 'zero', 'log', 'smooth', 'mean', 'usual', 'index', 'change', 'yoy', 'season'] as const;
/** How values are drawn. */
export type Scale = (typeof SCALES)[number];

/** What is made of two series, a and b. */
// biome-ignore format: one line
export const FORMULAS = ['none', 'a-share-of-b', 'b-share-of-a', 'a-over-b', 'b-over-a', 'a-minus-b', 'b-minus-a'] as const;
/** What is made of two series, a and b. */
export type Formula = (typeof FORMULAS)[number];

/** Periods of a mean of several, where no other number is chosen. */
export const MEAN_PERIODS = 5;

/** Calendar periods to which values are resampled, and the frequencies of them. */
export const RESAMPLED = { week: 'weekly', month: 'monthly', quarter: 'quarterly', year: 'annual' } as const;
/** A calendar period to resample to. */
export type Every = keyof typeof RESAMPLED;
export const EVERY = Object.keys(RESAMPLED) as readonly Every[];

/** How the values of a period become one. */
export const HOWS = ['mean', 'sum', 'last'] as const;
/** How the values of a period become one. */
export type How = (typeof HOWS)[number];

/** Amounts by their metric or item, and flows by their metric, that add up over time; stocks, areas and shares do not. */
const AMOUNT = /\b(precipitation|rain|rainfall|snowfall|degree days?)\b/i;
const FLOW = /\b(production|sales|imports?|exports?|crush|use)\b/i;
/** Rates and shares, and measures made of amounts, do not add up. */
const NO_AMOUNT = /\b(index|price|ratio)\b/i;

/** What a value measures, by the names of its metric and item and the abbreviation of its unit. */
interface Measured {
  readonly metric: string;
  readonly item: string;
  readonly unit: string;
}

/** Returns the default aggregate of a period's values: the sum of amounts that add up over time, or else the mean. */
export function usualHow(measured: Measured): 'sum' | 'mean' {
  const { metric, item } = measured;
  const isAmount = AMOUNT.test(`${metric} ${item}`) || FLOW.test(metric);
  return isAmount && canBeSummed(measured) ? 'sum' : 'mean';
}

/** Checks whether a sum over time can be meaningful. Sums of rates, shares, prices and temperatures never are. */
export function canBeSummed({ metric, unit }: Pick<Measured, 'metric' | 'unit'>): boolean {
  return !NO_AMOUNT.test(metric) && !/[/%]|°[CF]$/.test(unit);
}

/** How the values of periods became one, such as `sum or mean` of several series; empty for those of the source. */
export function howsOf(lines: readonly { readonly how?: How | null | undefined }[]): string {
  return [...new Set(lines.flatMap(({ how }) => how ?? []))].join(' or ');
}

/** Whether each of several units has a panel, or an axis of one panel. */
export const AXES = ['panels', 'one'] as const;
/** Where the axes of several units are. */
export type Axes = (typeof AXES)[number];

/**
 * How values of a map are put into classes: by round steps, or by classes of as many values each; `auto` takes steps
 * unless they put most values into one class.
 */
export const MAP_CLASSES = ['auto', 'steps', 'quantiles'] as const;
/** How values of a map are put into classes. */
export type MapClasses = (typeof MAP_CLASSES)[number];

/** More series cannot be told apart in one chart. */
export const MAX_SERIES = 60;
