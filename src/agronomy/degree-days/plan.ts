import * as v from 'valibot';
import { badArgument } from '../../model/errors.js';
import { type OptionsOf, required } from '../../model/schema/check.js';
import { FIELDS } from '../../model/schema/fields.js';
import { DATE, FINITE, oneOf, SHARE, TEXT, withMeaning } from '../../model/schema/schemas.js';

type DayShape = 'mean' | 'extremes' | 'sine' | 'triangle';

/** The degree-day methods. A `double` method uses the next day's minimum for the second half of the day. */
export const DEGREE_DAY_METHODS = {
  average: { name: 'Simple average', shape: 'mean', double: false },
  'mcmaster-wilhelm-1': { name: 'McMaster–Wilhelm method 1', shape: 'mean', double: false },
  'mcmaster-wilhelm-2': { name: 'McMaster–Wilhelm method 2', shape: 'extremes', double: false },
  'single-sine': { name: 'Single sine', shape: 'sine', double: false },
  'double-sine': { name: 'Double sine', shape: 'sine', double: true },
  'single-triangle': { name: 'Single triangle', shape: 'triangle', double: false },
  'double-triangle': { name: 'Double triangle', shape: 'triangle', double: true },
} as const satisfies Record<string, { name: string; shape: DayShape; double: boolean }>;
/** A method that models a day's temperature from its extremes; see `degreeDays`. */
export type DegreeDayMethod = keyof typeof DEGREE_DAY_METHODS;

const METHOD = oneOf(Object.keys(DEGREE_DAY_METHODS) as DegreeDayMethod[]);

export const CUTOFFS = ['none', 'horizontal', 'intermediate', 'vertical'] as const;
/** How heat above the cap is treated; see `degreeDays`. */
export type Cutoff = (typeof CUTOFFS)[number];

export const TEMPERATURE_SYMBOLS = { celsius: '°C', fahrenheit: '°F' } as const;
/** The unit of temperatures, thresholds and degree days. */
export type TemperatureUnit = keyof typeof TEMPERATURE_SYMBOLS;

const TEMPERATURE_UNIT = oneOf(Object.keys(TEMPERATURE_SYMBOLS) as TemperatureUnit[]);

export const RULE_KEYS = {
  /** The lower threshold, in `temperature_unit`. No development occurs at or below it. */
  base_temperature: required(withMeaning('base temperature', FINITE)),
  /** The upper threshold (default null, no threshold). If it is not above the base temperature, degree days are 0. */
  upper_temperature_cap: withMeaning('upper temperature cap (default: none)', v.nullable(v.number())),
  /** How degree days are computed from a day's temperatures; default `'average'`. */
  method: withMeaning('degree-day method (default: average)', METHOD),
  /** How temperatures above the cap count: as the cap (`'horizontal'`, default), or in full (`'none'`). */
  cutoff: withMeaning('cutoff above the cap (default: horizontal)', oneOf(CUTOFFS)),
  /** The unit of temperatures, thresholds and result; default `'celsius'`. Clients convert series to this unit. */
  temperature_unit: withMeaning('unit of the base, the cap and the result', TEMPERATURE_UNIT),
};
/** The requested thresholds and method for a degree-day calculation. */
export interface DegreeDayRule extends OptionsOf<typeof RULE_KEYS> {}

/** The degree-day parameters that the client, the command line and the assistant tools share. */
export const GROWING_FIELDS = {
  ...RULE_KEYS,
  /** The first day, `YYYY-MM-DD`. */
  start_date: required(withMeaning('first day', DATE)),
  /** The last day, `YYYY-MM-DD`, inclusive. */
  end_date: required(withMeaning('last day', DATE)),
  /** The minimum share of days that must have both temperatures, from 0 to 1; default 1. */
  min_temporal_coverage: withMeaning('minimum share of days with data, from 0 to 1', SHARE),
  /** Uses only vintages that were available at this time. `YYYY-MM-DD` means the beginning of that day. */
  at_time: FIELDS.at_time,
};
export const REGION_NAMES = required(withMeaning('name of a region', TEXT));

/** The standard item names for daily minimum and maximum temperatures. */
export const TEMPERATURE_ITEMS = { tmin: 'Temperature min', tmax: 'Temperature max' } as const;

export type ExtremesOf<Kind> = Readonly<Record<keyof typeof TEMPERATURE_ITEMS, Kind>>;

/** Checks whether a string names a temperature unit, such as "°C", "C" or "degrees Celsius". */
export function isTemperatureUnit(text: string, unit: TemperatureUnit): boolean {
  const symbol = TEMPERATURE_SYMBOLS[unit];
  return [symbol, symbol.slice(1)].includes(text) || text.toLowerCase().replace(/^degrees? /, '') === unit;
}

/** The rule that was applied, including defaults. It is part of every result. */
export type AppliedRule = {
  readonly [Option in keyof DegreeDayRule]-?: Exclude<DegreeDayRule[Option], undefined>;
};

/**
 * The constants of a degree-day rule, from which degree days are computed. A(T) is a day's degree days above T, and f
 * is the share of the day above the cap. A day that crosses the cap has A(base) − (1 + slope)·A(cap) − shareLoss·f
 * degree days. A day that stays at a temperature t above the cap has atCap − slope·(t − cap) degree days.
 */
export interface DegreeDayPlan {
  readonly shape: DayShape;
  /** Whether the second half of the day uses the next day's minimum. */
  readonly double: boolean;
  readonly base: number;
  /** The upper threshold; Infinity if there is none. */
  readonly cap: number;
  /** cap − base, or the largest number if there is no upper threshold. */
  readonly span: number;
  /** The degree days of a day whose temperature stays at the cap throughout. */
  readonly atCap: number;
  /** The degree days lost for each degree above the cap: 1 for the intermediate cut-off, otherwise 0. */
  readonly slope: number;
  /** The degree days lost if the whole day is above the cap: cap − base for the vertical cut-off, otherwise 0. */
  readonly shareLoss: number;
}

export function usesNextMinimum(method: DegreeDayMethod | undefined): boolean {
  return method !== undefined && DEGREE_DAY_METHODS[method].double;
}

/** Fills in a validated rule's defaults. @throws ArgumentError if there is a cut-off but no cap */
export function applyRule(rule: DegreeDayRule): AppliedRule {
  const { base_temperature, method = 'average', temperature_unit = 'celsius' } = rule;
  const given = rule.upper_temperature_cap ?? Number.POSITIVE_INFINITY;
  const cap = given === Number.POSITIVE_INFINITY ? null : given;
  const { cutoff = cap === null ? 'none' : 'horizontal' } = rule;
  if (cap === null && cutoff !== 'none') {
    throw badArgument(
      'upper_temperature_cap',
      `cutoff "${cutoff}" requires an upper threshold; set one, or set cutoff to "none"`,
    );
  }
  const upper_temperature_cap = cutoff === 'none' ? null : cap;
  return { method, cutoff, base_temperature, upper_temperature_cap, temperature_unit };
}

/** Returns the constants of a degree-day rule. If the cap is at or below the base, there are no degree days. */
export function planDegreeDays(rule: Omit<AppliedRule, 'temperature_unit'>): DegreeDayPlan {
  const { method, cutoff, base_temperature: base, upper_temperature_cap } = rule;
  const cap = upper_temperature_cap ?? Number.POSITIVE_INFINITY;
  if (cap <= base) {
    const above = { base_temperature: Number.MAX_VALUE, upper_temperature_cap: null };
    return { ...planDegreeDays({ method, cutoff: 'none', ...above }), atCap: 0 };
  }
  return {
    shape: DEGREE_DAY_METHODS[method].shape,
    double: usesNextMinimum(method),
    base,
    cap,
    span: Math.min(cap - base, Number.MAX_VALUE),
    atCap: cutoff === 'vertical' ? 0 : cap - base,
    slope: cutoff === 'intermediate' ? 1 : 0,
    shareLoss: cutoff === 'vertical' ? cap - base : 0,
  };
}
