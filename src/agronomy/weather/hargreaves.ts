import * as v from 'valibot';
import { yearOf } from '../../model/calendar.js';
import { checkRequiredOptions, type OptionsOf, required } from '../../model/schema/check.js';
import { DATE, isNot } from '../../model/schema/schemas.js';
import { DAY_MS, parseTime, utcDay } from '../../model/time.js';
import { dailyColumns, NUMBER_COLUMN } from '../degree-days/daily-values.js';

const HARGREAVES_KEYS = {
  /** Daily minimum temperatures in °C, one for each consecutive day; NaN or null if missing. */
  tmin: required(NUMBER_COLUMN),
  /** Daily maximum temperatures in °C, for the same days as `tmin`. */
  tmax: required(NUMBER_COLUMN),
  /** The first day, `YYYY-MM-DD`. */
  start_date: required(DATE),
  /** The latitude in degrees north; negative in the southern hemisphere. */
  latitude: required(
    v.custom<number>(
      (value) => typeof value === 'number' && Math.abs(value) <= 90,
      isNot('a latitude from -90 to 90'),
    ),
  ),
};
/** Daily temperatures at a place, with its latitude. */
export interface HargreavesOptions extends OptionsOf<typeof HARGREAVES_KEYS> {}

/** The millimetres of water that 1 MJ/m² evaporates (FAO-56, equation 20). */
const MM_PER_MJ = 0.408;

/**
 * Computes reference evapotranspiration in mm/day by the method of Hargreaves and Samani (1985): 0.0023 · 0.408 Ra ·
 * (Tmean + 17.8) · √(Tmax − Tmin), where Tmean = (Tmin + Tmax) / 2 (FAO Irrigation and Drainage Paper 56, Allen et al.
 * 1998, equation 52). The result for a day is NaN if a temperature is missing or the minimum is above the maximum.
 * Negative results become 0.
 * @throws ArgumentError if the columns differ in length or are empty
 */
export function hargreavesEvapotranspiration(options: HargreavesOptions): Float64Array {
  checkRequiredOptions(options, HARGREAVES_KEYS, 'hargreavesEvapotranspiration');
  const { tmin, tmax } = dailyColumns(options);
  const startMs = parseTime(options.start_date, 'start_date');
  return tmin.map((low, day) => {
    const high = tmax[day]!;
    const radiation = extraterrestrialRadiation(startMs + day * DAY_MS, options.latitude);
    const depth = 0.0023 * MM_PER_MJ * radiation * ((low + high) / 2 + 17.8) * Math.sqrt(high - low);
    return Math.max(depth, 0);
  });
}

/** The solar constant, in MJ/m² per minute (FAO-56, equation 21). */
const SOLAR_CONSTANT = 0.082;

/**
 * Computes extraterrestrial radiation in MJ/m² per day (FAO-56, equations 21 to 25). During polar day, the sunset hour
 * angle is π; during polar night, it is 0.
 */
export function extraterrestrialRadiation(ms: number, latitude: number): number {
  const turn = (2 * Math.PI * dayOfYear(ms)) / 365;
  const distance = 1 + 0.033 * Math.cos(turn);
  const declination = 0.409 * Math.sin(turn - 1.39);
  const phi = (latitude * Math.PI) / 180;
  const sunset = Math.acos(Math.min(1, Math.max(-1, -Math.tan(phi) * Math.tan(declination))));
  const elevation =
    sunset * Math.sin(phi) * Math.sin(declination) + Math.cos(phi) * Math.cos(declination) * Math.sin(sunset);
  return Math.max(0, ((24 * 60) / Math.PI) * SOLAR_CONSTANT * distance * elevation);
}

function dayOfYear(ms: number): number {
  return Math.floor((ms - utcDay(yearOf(ms), 1, 1)) / DAY_MS) + 1;
}
