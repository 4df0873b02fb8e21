import { badAnswer } from '../model/errors.js';
import { type OptionsOf, optionsOf, required } from '../model/schema/check.js';
import { CANCELLABLE, FIELDS } from '../model/schema/fields.js';
import { type ArgumentsOf, mandatory, promise } from '../model/schema/operation.js';
import { ID, IDS, listOf } from '../model/schema/schemas.js';
import type { Transport } from './http/transport.js';

const AREA_SERIES = {
  /** Id of the item. */
  item_id: required(ID),
  /** Id of the metric. */
  metric_id: required(ID),
  /** Id of the frequency. */
  frequency_id: required(ID),
  /** Id of the source. */
  source_id: required(ID),
};
/** A series without its region: the weighted one, or one of the weights. */
export interface AreaSeries extends OptionsOf<typeof AREA_SERIES> {}

const ONE_SERIES = optionsOf<AreaSeries>(AREA_SERIES);
const AREA_WEIGHTING = {
  ...CANCELLABLE,
  /** The weighted series. */
  series: required(ONE_SERIES),
  /** The series whose means over time, multiplied, are a region's weight; 1 to 10. */
  weights: required(listOf(ONE_SERIES)),
  /** Ids of the regions. */
  region_ids: required(IDS),
  /** `sum` (the default) or `normalize`, which divides by the weights of the regions with a value. */
  method: FIELDS.weighting_method,
  /** `YYYY-MM-DD`: only periods that end on or after this date. The weights are of all periods. */
  start_date: FIELDS.start_date,
  /** `YYYY-MM-DD`: only periods that start on or before this date. */
  end_date: FIELDS.end_date,
};
/** The weighted series, the series of the weights, and the regions. */
export interface AreaWeightingOptions extends OptionsOf<typeof AREA_WEIGHTING> {}

/** One period of a weighted series. */
export interface AreaWeightedPoint {
  /** The weighted value; with `sum` null where a region with a weight has no value. */
  value: number | null;
  /** Last date of the period, Unix seconds. */
  timestamp: number;
  /** When the last of the values became available, Unix seconds; null without a value. */
  available_timestamp: number | null;
  /** First date of the period, Unix seconds; absent from a service of the JSON base. */
  start_timestamp?: number | undefined;
  /** Share of the total weight whose regions have a value, 1 when none is missing; absent likewise. */
  weight_present?: number | undefined;
}

/** A series without its region, and the unit of its values. */
export interface AreaSeriesDescription extends AreaSeries {
  /** Id of the unit; null without one. */
  unit_id: number | null;
}

/** A series weighted over regions. */
export interface AreaWeightedSeries {
  /** One point a period, by its end. */
  data_points: AreaWeightedPoint[];
  /** The weighted series. With `sum` a value is in this unit times the units of the weights. */
  series_description: AreaSeriesDescription;
  /** The series of the weights. */
  weights_description: AreaSeriesDescription[];
  /** Regions without a series to weigh; absent likewise. */
  regions_without_data?: number[] | undefined;
  /** Regions without one of the weights, which weigh 0; absent likewise. */
  regions_without_weight?: number[] | undefined;
}

/** Series weighted by area or another metric. */
export interface AreaWeightingOperations {
  /**
   * A series summed over regions, each value times its region's weight.
   * @throws ArgumentError when an id or the method is invalid; HttpError (400) when the weights sum to 0, or the units of
   * the regions cannot be converted
   */
  getAreaWeightedSeries(options: AreaWeightingOptions): Promise<AreaWeightedSeries>;
}

/** The arguments of these operations. */
areaWeightingOperations.takes = {
  getAreaWeightedSeries: promise(mandatory(AREA_WEIGHTING)),
} satisfies ArgumentsOf<AreaWeightingOperations>;

/** Creates the area-weighting operations of a client. */
export function areaWeightingOperations(transport: Transport): AreaWeightingOperations {
  return {
    async getAreaWeightedSeries({ signal, ...options }) {
      const { series, weights, region_ids, method = 'sum', start_date, end_date } = options;
      const body = { series, weights, region_ids, method, start_date, end_date };
      const answer = await transport.json('areaWeighting', { body, signal });
      checkDescription(answer.series_description, [series]);
      for (const one of answer.weights_description) checkDescription(one, weights);
      return answer;
    },
  };
}

/** @throws ContractError when another series was weighted than one of those asked */
function checkDescription(answered: AreaSeries, requested: readonly AreaSeries[]): void {
  const fields = ['item_id', 'metric_id', 'frequency_id', 'source_id'] as const;
  const isOf = (series: AreaSeries) => fields.every((field) => answered[field] === series[field]);
  if (requested.some(isOf)) return;
  const other =
    fields.find((field) => requested.every((series) => answered[field] !== series[field])) ?? 'item_id';
  const problem = `answered ${other} ${answered[other]} for ${requested[0]![other]}`;
  throw badAnswer('areaWeighting', problem);
}
