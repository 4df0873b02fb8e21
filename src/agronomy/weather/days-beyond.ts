import { badArgument } from '../../model/errors.js';
import { checkRequiredOptions, type OptionsOf, required } from '../../model/schema/check.js';
import { FINITE, integer } from '../../model/schema/schemas.js';
import { DAY_MS, parseTime } from '../../model/time.js';
import { type DatedValues, type NumberColumn, numberColumn } from '../degree-days/daily-values.js';
import { countDays } from '../degree-days/missing-days.js';
import { dayInterval } from '../degree-days/seasons.js';

const BOUNDS_KEYS = {
  /** Counts values above this bound. */
  above: FINITE,
  /** Counts values equal to or above this bound. */
  at_least: FINITE,
  /** Counts values below this bound. */
  below: FINITE,
  /** Counts values equal to or below this bound. */
  at_most: FINITE,
};
/** Bounds for the values to count, in the column's unit. If several are set, a value must meet all of them. */
export interface DayBounds extends OptionsOf<typeof BOUNDS_KEYS> {}

/** The number of days whose value is within the bounds, and the number of days with a value. */
export interface DayCount {
  /** The number of days with a value within the bounds. */
  readonly days: number;
  /** The number of days with a value. */
  readonly days_counted: number;
  /** `days_counted` as a share of all days. */
  readonly coverage: number;
}

/**
 * Counts the days whose value is within the bounds. Examples are hot days (daily maxima in °C, `{ above: 30 }`), frost
 * days (daily minima, `{ below: 0 }`; ETCCDI index FD), summer days (daily maxima, `{ above: 25 }`; SU) and wet days
 * (rainfall in mm, `{ at_least: 1 }`). A day with no value is not counted, and lowers the coverage.
 * @throws ArgumentError if no bound is set
 */
export function countDaysBeyond(values: NumberColumn, bounds: DayBounds): DayCount {
  const column = numberColumn(values, 'values');
  checkRequiredOptions(bounds, BOUNDS_KEYS, 'countDaysBeyond');
  const days = column.filter(boundsTest(bounds)).length;
  const days_counted = countDays(column);
  return { days, days_counted, coverage: column.length === 0 ? 0 : days_counted / column.length };
}

function boundsTest({ above, at_least, below, at_most }: DayBounds): (value: number) => boolean {
  if (above === undefined && at_least === undefined && below === undefined && at_most === undefined) {
    throw badArgument('bounds', 'no bound is set; pass above, at_least, below or at_most');
  }
  return (value) =>
    (above === undefined || value > above) &&
    (at_least === undefined || value >= at_least) &&
    (below === undefined || value < below) &&
    (at_most === undefined || value <= at_most);
}

const SPELL_KEYS = {
  ...BOUNDS_KEYS,
  /** The minimum length in days. */
  min_days: required(integer({ min: 1 })),
};
/** The bounds and minimum length of a spell. */
export interface SpellOptions extends OptionsOf<typeof SPELL_KEYS> {}

/** Consecutive days whose values are within the bounds. */
export interface Spell {
  /** The first day, `YYYY-MM-DD`. */
  readonly start_date: string;
  /** The last day, `YYYY-MM-DD`. */
  readonly end_date: string;
  /** The number of days. */
  readonly days: number;
  /** Whether the spell may in fact be longer, because it touches either end of the series or a missing day. */
  readonly open: boolean;
}

/**
 * Finds the spells in a daily series, in order. A spell is a run of at least `min_days` days whose values are within
 * the bounds, such as a dry spell (rainfall in mm, `{ below: 1, min_days: 10 }`; the longest one is ETCCDI index CDD)
 * or a heat wave (daily maxima, `{ above: 30, min_days: 3 }`). A missing value ends a spell and marks it as `open`.
 * @throws ArgumentError if no bound is set
 */
export function findSpells(series: DatedValues, options: SpellOptions): Spell[] {
  checkRequiredOptions(options, SPELL_KEYS, 'findSpells');
  const { values } = series;
  const startMs = parseTime(series.start_date, 'start_date');
  const isWithin = boundsTest(options);
  const spells: Spell[] = [];
  for (let from = 0; from < values.length; from++) {
    if (!isWithin(values[from]!)) continue;
    let to = from + 1;
    while (to < values.length && isWithin(values[to]!)) to++;
    if (to - from >= options.min_days) {
      spells.push({
        ...dayInterval({ firstMs: startMs + from * DAY_MS, days: to - from }),
        days: to - from,
        open: isUnknown(values[from - 1]) || isUnknown(values[to]),
      });
    }
    from = to;
  }
  return spells;
}

function isUnknown(value: number | undefined): boolean {
  return value === undefined || Number.isNaN(value);
}
