import { badArgument } from '../../model/errors.js';
import { checkRequiredOptions, type OptionKeys, required } from '../../model/schema/check.js';
import { FINITE, integer } from '../../model/schema/schemas.js';
import { DAY_MS, parseTime } from '../../model/time.js';
import { type DatedValues, type NumberColumn, numberColumn } from '../degree-days/daily-values.js';
import { countDays } from '../degree-days/missing-days.js';
import { dayInterval } from '../degree-days/seasons.js';

/** Bounds of the values to count, in the unit of the column. With two bounds, values between them are counted. */
export interface DayBounds {
  /** Counts values above this bound. */
  above?: number | undefined;
  /** Counts values equal to or above this bound. */
  at_least?: number | undefined;
  /** Counts values below this bound. */
  below?: number | undefined;
  /** Counts values equal to or below this bound. */
  at_most?: number | undefined;
}

const BOUNDS_KEYS: OptionKeys<DayBounds> = {
  above: FINITE,
  at_least: FINITE,
  below: FINITE,
  at_most: FINITE,
};

/** The number of days with a property, and the number of days examined. */
export interface DayCount {
  /** The number of days with a value within the bounds. */
  readonly days: number;
  /** The number of days with a value. */
  readonly days_counted: number;
  /** `days_counted` as a share of all days. */
  readonly coverage: number;
}

/**
 * Counts the days with a value within bounds, such as heat days (`{ above: 30 }` of daily maxima in °C), frost days (`{
 * below: 0 }` of daily minima; the index FD of ETCCDI), summer days (`{ above: 25 }` of maxima, SU) or wet days (`{
 * at_least: 1 }` of rain in mm). A day without a value is not counted, and lowers the coverage.
 * @throws ArgumentError if there is no bound
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
    throw badArgument('bounds', 'there are none; give above, at_least, below or at_most');
  }
  return (value) =>
    (above === undefined || value > above) &&
    (at_least === undefined || value >= at_least) &&
    (below === undefined || value < below) &&
    (at_most === undefined || value <= at_most);
}

/** The bounds and the minimum length of a spell. */
export interface SpellOptions extends DayBounds {
  /** Minimum length in days. */
  min_days: number;
}

const SPELL_KEYS: OptionKeys<SpellOptions> = { ...BOUNDS_KEYS, min_days: required(integer({ min: 1 })) };

/** Consecutive days within the bounds. */
export interface Spell {
  /** The first day, `YYYY-MM-DD`. */
  readonly start_date: string;
  /** The last day. */
  readonly end_date: string;
  /** Number of days. */
  readonly days: number;
  /** Whether the spell may be longer, because it is at the beginning or end of the series or next to a missing day. */
  readonly open: boolean;
}

/**
 * Finds the spells of a daily series, in order. A spell is a run of at least `min_days` days within the bounds, such as
 * a dry spell (`{ below: 1, min_days: 10 }` of rain in mm; the longest one is the index CDD of ETCCDI) or a heat wave
 * (`{ above: 30, min_days: 3 }` of maxima). A missing value ends a spell, which is then `open`.
 * @throws ArgumentError if there is no bound
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
