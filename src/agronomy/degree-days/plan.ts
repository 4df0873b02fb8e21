import { ArgumentError } from '../../model/errors.js';

/** How the course of temperature through a day is pictured from its extremes; see `degreeDays`. */
export const DEGREE_DAY_METHODS = [
  'average',
  'mcmaster-wilhelm-1',
  'mcmaster-wilhelm-2',
  'single-sine',
  'double-sine',
  'single-triangle',
  'double-triangle',
] as const;
/** How a day’s temperature is modelled from its extremes; see `degreeDays`. */
export type DegreeDayMethod = (typeof DEGREE_DAY_METHODS)[number];

/** What becomes of the heat above the cap; see `degreeDays`. */
export const CUTOFFS = ['none', 'horizontal', 'intermediate', 'vertical'] as const;
/** What happens to the heat above the cap; see `degreeDays`. */
export type Cutoff = (typeof CUTOFFS)[number];

export const TEMPERATURE_UNITS = ['celsius', 'fahrenheit'] as const;
/** The unit of temperatures, thresholds and degree days alike; nothing is converted. */
export type TemperatureUnit = (typeof TEMPERATURE_UNITS)[number];

/** How each unit is written after a number. */
export const TEMPERATURE_SYMBOLS: Readonly<Record<TemperatureUnit, string>> = {
  celsius: '°C',
  fahrenheit: '°F',
};

/** The thresholds and the method of a degree-day calculation, as asked for. */
export interface DegreeDayRule {
  /** Lower threshold: no development at or below it. */
  base: number;
  /** Upper threshold; none by default. */
  cap?: number | undefined;
  /** Default `'average'`, the specification's. */
  method?: DegreeDayMethod | undefined;
  /** Default `'horizontal'` where a cap is given, else `'none'`; `'none'` beside a cap leaves the cap out of use. */
  cutoff?: Cutoff | undefined;
  /** Default `'celsius'`. */
  temperature_unit?: TemperatureUnit | undefined;
}

/** The rule as it was applied; every result carries it. */
export interface AppliedRule {
  /** How a day's temperatures become degree days. */
  readonly method: DegreeDayMethod;
  /** What the upper threshold does. */
  readonly cutoff: Cutoff;
  /** Lower threshold. */
  readonly base: number;
  /** Null when no upper threshold was in use. */
  readonly cap: number | null;
  /** Unit of the thresholds, and of the degree days. */
  readonly temperature_unit: TemperatureUnit;
}

export type DayShape = 'mean' | 'extremes' | 'sine' | 'triangle';

/**
 * What the kernels need. With A(T) the degree days of a day above T and f its share above the cap, a day that crosses
 * the cap is A(base) − (1 + slope)·A(cap) − shareLoss·f, and one at the constant temperature t above it
 * atCap − slope·(t − cap).
 */
export interface DegreeDayPlan {
  readonly shape: DayShape;
  /** Half a day with this day's minimum, half with the next day's. */
  readonly double: boolean;
  readonly base: number;
  /** Infinity when no upper threshold is in use. */
  readonly cap: number;
  /** cap − base; the greatest number when no upper threshold is in use. */
  readonly span: number;
  /** Degree days of a day at the cap. */
  readonly atCap: number;
  /** What each degree above the cap takes away from the day: 1 for the intermediate cut-off, else 0. */
  readonly slope: number;
  /** What the share of the day above the cap takes away: cap − base for the vertical cut-off, else 0. */
  readonly shareLoss: number;
}

const SHAPES: Readonly<Record<DegreeDayMethod, { shape: DayShape; double: boolean }>> = {
  average: { shape: 'mean', double: false },
  'mcmaster-wilhelm-1': { shape: 'mean', double: false },
  'mcmaster-wilhelm-2': { shape: 'extremes', double: false },
  'single-sine': { shape: 'sine', double: false },
  'double-sine': { shape: 'sine', double: true },
  'single-triangle': { shape: 'triangle', double: false },
  'double-triangle': { shape: 'triangle', double: true },
};

/**
 * Fills in the defaults of a rule and checks it.
 * @throws ArgumentError for a base or cap that is not a number, a cap not above the base, a cut-off without a cap,
 * and an unknown method, cut-off or unit
 */
export function applyRule(rule: DegreeDayRule): AppliedRule {
  const method = oneOf('method', rule.method ?? 'average', DEGREE_DAY_METHODS);
  const temperature_unit = oneOf('temperature_unit', rule.temperature_unit ?? 'celsius', TEMPERATURE_UNITS);
  if (!Number.isFinite(rule.base)) {
    throw new ArgumentError('base', `base is ${rule.base}; give the lower threshold as a finite number`);
  }
  const given = rule.cap === undefined || rule.cap === Number.POSITIVE_INFINITY ? null : rule.cap;
  if (given !== null) checkCap(given, rule.base);
  const cutoff = oneOf('cutoff', rule.cutoff ?? (given === null ? 'none' : 'horizontal'), CUTOFFS);
  if (given === null && cutoff !== 'none') {
    throw new ArgumentError('cap', `cutoff "${cutoff}" needs an upper threshold; give cap, or cutoff "none"`);
  }
  return { method, cutoff, base: rule.base, cap: cutoff === 'none' ? null : given, temperature_unit };
}

function checkCap(cap: number, base: number): void {
  if (!Number.isFinite(cap)) {
    throw new ArgumentError('cap', `cap is ${cap}; give the upper threshold as a number, or leave it out`);
  }
  if (cap <= base) {
    throw new ArgumentError(
      'cap',
      `cap ${cap} is not above base ${base}; give a higher cap, or leave it out`,
    );
  }
}

function oneOf<T extends string>(argument: string, given: string, known: readonly T[]): T {
  if (known.includes(given as T)) return given as T;
  throw new ArgumentError(
    argument,
    `${argument}: "${given}" is not known; choose one of ${known.join(', ')}`,
  );
}

export function planDegreeDays({ method, cutoff, base, cap }: AppliedRule): DegreeDayPlan {
  const top = cap ?? Number.POSITIVE_INFINITY;
  return {
    ...SHAPES[method],
    base,
    cap: top,
    span: Math.min(top - base, Number.MAX_VALUE),
    atCap: cutoff === 'vertical' ? 0 : top - base,
    slope: cutoff === 'intermediate' ? 1 : 0,
    shareLoss: cutoff === 'vertical' ? top - base : 0,
  };
}
