import { needed, whole } from '../../model/arguments/checks.js';
import { checkRequiredOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import type { DatedValues } from '../degree-days/climatology.js';
import { BOUNDS_KEYS, boundsTest, type DayBounds } from './days-beyond.js';

/** Which days belong to a spell. */
export interface SpellOptions extends DayBounds {
  /** Minimum length in days. */
  min_days: number;
}

const SPELL_KEYS: OptionKeys<SpellOptions> = { ...BOUNDS_KEYS, min_days: needed(whole({ min: 1 })) };

/** Consecutive days within the bounds. */
export interface Spell {
  /** The first day, `YYYY-MM-DD`. */
  readonly start_date: string;
  /** The last day. */
  readonly end_date: string;
  /** Number of days. */
  readonly days: number;
  /** Whether the series begins or ends with it, or a missing day is next to it, so that it may be longer. */
  readonly open: boolean;
}

/**
 * The spells of a daily series, in order: runs of at least `min_days` days within the bounds, such as dry spells
 * (`{ below: 1, min_days: 10 }` of rain in mm; the longest one is the index CDD of ETCCDI) or heat waves
 * (`{ above: 30, min_days: 3 }` of maxima). A missing value ends a spell, which is then `open`.
 * @throws ArgumentError without a bound
 */
export function findSpells(series: DatedValues, options: SpellOptions): Spell[] {
  checkRequiredOptions(options, SPELL_KEYS, 'findSpells');
  const { values } = series;
  const startMs = parseTime(series.start, 'start');
  const isWithin = boundsTest(options);
  const spells: Spell[] = [];
  for (let from = 0; from < values.length; from++) {
    if (!isWithin(values[from]!)) continue;
    let to = from + 1;
    while (to < values.length && isWithin(values[to]!)) to++;
    if (to - from >= options.min_days) {
      spells.push({
        start_date: formatDay(startMs + from * DAY_MS),
        end_date: formatDay(startMs + (to - 1) * DAY_MS),
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
