import type { DegreeDayMethod, TemperatureUnit } from '../../agronomy/degree-days/plan.js';

export interface CropRule {
  readonly name: string;
  readonly unit: TemperatureUnit;
  readonly base: number;
  readonly cap: number | null;
  readonly method: DegreeDayMethod;
  readonly source: string;
}

const MCMASTER_WILHELM = 'McMaster and Wilhelm 1997, Agricultural and Forest Meteorology 87, 291–300';

export const CROP_RULES: readonly CropRule[] = [
  {
    name: 'Corn, 50 and 86 °F',
    ...{ unit: 'fahrenheit', base: 50, cap: 86, method: 'mcmaster-wilhelm-2', source: MCMASTER_WILHELM },
  },
  {
    name: 'Corn, 10 and 30 °C',
    ...{ unit: 'celsius', base: 10, cap: 30, method: 'mcmaster-wilhelm-2', source: MCMASTER_WILHELM },
  },
  {
    name: 'Wheat and barley, 0 °C',
    ...{ unit: 'celsius', base: 0, cap: null, method: 'mcmaster-wilhelm-1', source: MCMASTER_WILHELM },
  },
  {
    name: 'Cotton, DD60',
    ...{ unit: 'fahrenheit', base: 60, cap: null, method: 'average' },
    source:
      'Raper et al. 2023, Agronomy Journal, “Reevaluation of the degree day base 60 °F concept in US cotton”',
  },
  {
    name: 'Canola, 5 °C',
    ...{ unit: 'celsius', base: 5, cap: null, method: 'average' },
    source: 'Field Crop News, Ontario, “Using growing degree days and crop heat units”, February 2025',
  },
  {
    name: 'Sunflower, 44 °F',
    ...{ unit: 'fahrenheit', base: 44, cap: null, method: 'average' },
    source:
      'North Dakota State University, Crop & Pest Report, “Sunflower development and growing degree days”, July 2021',
  },
];
