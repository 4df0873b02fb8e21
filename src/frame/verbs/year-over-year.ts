import type { Table } from 'apache-arrow';
import { firstFrom } from '../../columns/series-dates.js';
import { shiftDate } from '../../model/calendar.js';
import { DERIVATIONS } from '../../model/derivations.js';
import { badArgument } from '../../model/errors.js';
import { periodDays } from '../../model/frequency.js';
import { checkOptions, type OptionKeys } from '../../model/schema/check.js';
import { integer, oneOf } from '../../model/schema/schemas.js';
import { DAY_MS } from '../../model/time.js';
import { mapSeries } from '../series/map-series.js';
import { frequencyOf, type SeriesPoints } from '../series/series-points.js';
import { type SeriesView, seriesName } from '../table/series-view.js';

/** How the change is expressed, and over how many years. */
export interface YearOverYearOptions {
  /** `change` = now − then (default; in the unit of the series), `ratio` = now ÷ then, `percent` = (ratio − 1) × 100. */
  as?: 'change' | 'ratio' | 'percent' | undefined;
  /** Number of years back (default 1). */
  years?: number | undefined;
}

const YEARS_KEYS: OptionKeys<YearOverYearOptions> = {
  as: oneOf(['change', 'ratio', 'percent']),
  years: integer({ min: 1, max: 10_000 }),
};

export function yearOverYear(table: Table, options: YearOverYearOptions = {}): Table {
  checkOptions(options, YEARS_KEYS, 'yearOverYear');
  const { as = 'change', years = 1 } = options;
  const step = `yearOverYear(${JSON.stringify({ as, years })})`;
  const derivation = DERIVATIONS[CHANGES[as]](years);
  return mapSeries(table, { step, derivation }, (points) => {
    checkWholePeriods(points.view, years);
    const { value } = points;
    return value.map((now, i) => compare(now, value[counterpart(points, i, years)] ?? Number.NaN, as));
  });
}

const CHANGES = { change: 'change', ratio: 'ratio', percent: 'percentChange' } as const;

/** @throws ArgumentError when the shift is no whole number of the periods of several years that a series has */
function checkWholePeriods(view: SeriesView, years: number): void {
  const { name, periodLength } = frequencyOf(view);
  if (!('years' in periodLength) || years % periodLength.years === 0) return;
  throw badArgument(
    'years',
    `${seriesName(view)} is ${name}, and has no period that ends ${years === 1 ? 'a year' : `${years} years`} earlier; give years: ${periodLength.years}, or a multiple, or leave the series out with selectSeries`,
  );
}

function compare(now: number, then: number, as: 'change' | 'ratio' | 'percent'): number {
  if (as === 'change') return now - then;
  if (then === 0) return Number.NaN;
  return as === 'ratio' ? now / then : (now / then - 1) * 100;
}

/** Finds the index of the point for the same period in the earlier year, or −1. */
function counterpart({ view, end }: SeriesPoints, i: number, years: number): number {
  const wanted = shiftDate(end[i]!, { years }, -1);
  const low = firstFrom(end, wanted);
  const distance = (at: number) => Math.abs((end[at] ?? Number.POSITIVE_INFINITY) - wanted);
  const nearest = distance(low - 1) <= distance(low) ? low - 1 : low;
  return distance(nearest) <= (periodDays(frequencyOf(view)) * DAY_MS) / 2 ? nearest : -1;
}
