import type { DegreeDayMethod, TemperatureUnit } from './plan.js';

/** The settings of a published rule for the degree days of a crop. Thresholds are in `unit`. */
interface CropRule {
  readonly unit: TemperatureUnit;
  readonly base: number;
  readonly cap: number | null;
  readonly method: DegreeDayMethod;
}

type RuleRow = [string, crops: string, TemperatureUnit, number, cap: number | null, DegreeDayMethod, string];

const MCMASTER_WILHELM = 'McMaster and Wilhelm 1997, Agricultural and Forest Meteorology 87, 291–300';
const RAPER =
  'Raper et al. 2023, Agronomy Journal, “Reevaluation of the degree day base 60 °F concept in US cotton”';
const ONTARIO = 'Field Crop News, Ontario, “Using growing degree days and crop heat units”, February 2025';
const NORTH_DAKOTA =
  'North Dakota State University, Crop & Pest Report, “Sunflower development and growing degree days”, July 2021';
const [CORN, GRAINS] = ['Corn, Corn silage', 'Wheat, Winter wheat, Spring wheat, Durum wheat, Barley'];

const ROWS: readonly RuleRow[] = [
  ['Corn, 50 and 86 °F', CORN, 'fahrenheit', 50, 86, 'mcmaster-wilhelm-2', MCMASTER_WILHELM],
  ['Corn, 10 and 30 °C', CORN, 'celsius', 10, 30, 'mcmaster-wilhelm-2', MCMASTER_WILHELM],
  ['Wheat and barley, 0 °C', GRAINS, 'celsius', 0, null, 'mcmaster-wilhelm-1', MCMASTER_WILHELM],
  ['Cotton, DD60', 'Cotton', 'fahrenheit', 60, null, 'average', RAPER],
  ['Canola, 5 °C', 'Canola', 'celsius', 5, null, 'average', ONTARIO],
  ['Sunflower, 44 °F', 'Sunflower seed', 'fahrenheit', 44, null, 'average', NORTH_DAKOTA],
];

export const CROP_RULES = ROWS.map(([name, crops, unit, base, cap, method, source]) => ({
  name,
  crops,
  source,
  rule: { unit, base, cap, method },
}));

export const hasRule = (chosen: CropRule, rule: CropRule) =>
  (['unit', 'base', 'cap', 'method'] as const).every((field) => rule[field] === chosen[field]);

/** Returns the crop whose published settings match the given ones, or `undefined` if there is none. */
export const cropOf = (chosen: CropRule) => CROP_RULES.find(({ rule }) => hasRule(chosen, rule));

/** Looks up a crop's published degree-day settings, preferably in the given unit. The crop name must match exactly. */
export function ruleFor(crop: string, unit: TemperatureUnit) {
  const rules = CROP_RULES.filter(({ crops }) => crops.split(', ').includes(crop));
  return (rules.find(({ rule }) => rule.unit === unit) ?? rules[0])?.rule;
}
