import { type PackedPoints, sliceRun } from '../columns/packed-points.js';
import { NO_UNIT_ID } from '../columns/point-columns.js';
import { RegionMeans, type RegionRun, regionRun, WeightedPeriods } from '../compute/weighting.js';
import type { PointsQuery } from '../contract/endpoints.js';
import { unitOrNull } from '../contract/series-blocks.js';
import { badArgument, UnitError } from '../model/errors.js';
import type { SeriesKey } from '../model/series.js';
import { mapInTurns, turns } from '../store/turns.js';
import type { Handlers, ServiceContext } from './handler.js';
import { type PlannedPoints, planPoints } from './points/plan-points.js';
import { preparePoints } from './points/prepare-points.js';

type Description = Pick<SeriesKey, 'item_id' | 'metric_id' | 'frequency_id' | 'source_id'>;

/** How each method combines values. `sum` needs all weighted regions, because a partial sum could look like a total. */
const RULES = {
  sum: { how: 'sum', min_weight_present: 1 },
  normalize: { how: 'mean', min_weight_present: 0 },
} as const;

export const areaWeightingHandlers = {
  areaWeighting: async ({ body, signal }, service) => {
    const { series, method, start_date, end_date } = body;
    const region_ids = [...new Set(body.region_ids)];
    const weighing = { service, signal, region_ids };

    const weights = new Float64Array(region_ids.length).fill(1);
    const weights_description = [];
    for (const one of body.weights) {
      const regional = await readRegional(one, {}, weighing);
      const means = new RegionMeans(region_ids.length);
      for await (const { region, value } of regional.runs()) for (const one of value) means.add(region, one);
      means.means().forEach((mean, region) => {
        weights[region]! *= mean;
      });
      weights_description.push({ ...one, unit_id: regional.unit_id });
    }
    const regions_without_weight = region_ids.filter((_, region) => Number.isNaN(weights[region]));
    const usedWeights = weights.map((weight) => (Number.isNaN(weight) ? 0 : weight));
    checkWeights(usedWeights, region_ids);

    const regional = await readRegional(series, { startDate: start_date, endDate: end_date }, weighing);
    const total = usedWeights.reduce((sum, weight) => sum + weight, 0);
    const used = { of: (region: number) => usedWeights[region]!, varies: false, total };
    const weighted = new WeightedPeriods(used, RULES[method]);
    for await (const run of regional.runs()) if (usedWeights[run.region] !== 0) weighted.add(run);
    const withData = new Set(regional.regionOf);
    return {
      data_points: await mapInTurns(
        weighted.periods(),
        ({ start, end, value, weight_present, available }) => ({
          value: Number.isNaN(value) ? null : value,
          timestamp: toSeconds(end),
          available_timestamp: Number.isNaN(available) ? null : Math.ceil(available / 1000),
          start_timestamp: toSeconds(start),
          weight_present,
        }),
      ),
      series_description: { ...series, unit_id: regional.unit_id },
      weights_description,
      regions_without_data: region_ids.filter((_, region) => !withData.has(region)),
      regions_without_weight,
    };
  },
} satisfies Partial<Handlers>;

function checkWeights(weights: Float64Array, region_ids: readonly number[]): void {
  const negative = weights.findIndex((weight) => weight < 0);
  if (negative !== -1) {
    const which = `region ${region_ids[negative]} has the weight ${weights[negative]}`;
    throw badArgument('weights', `${which}; choose weights that are never negative`);
  }
  if (weights.every((weight) => weight === 0))
    throw badArgument('weights', 'all weights are 0; choose weights and regions that have data');
}

interface Weighing {
  readonly service: ServiceContext;
  readonly signal: AbortSignal;
  readonly region_ids: readonly number[];
}

/** The number of points that are weighted before other work may run. */
const ROWS_PER_TURN = 8_192;

/** Reads the points of all regions, converted to one unit. @throws UnitError if a conversion is impossible */
async function readRegional(
  description: Description,
  dates: Pick<PointsQuery, 'startDate' | 'endDate'>,
  { service, signal, region_ids }: Weighing,
) {
  const query: PointsQuery = {
    ...dates,
    itemId: [description.item_id],
    metricId: [description.metric_id],
    frequencyId: [description.frequency_id],
    sourceId: [description.source_id],
    regionId: [...region_ids],
    showAvailableDate: true,
  };
  const [found] = (await planPoints([query], service, signal)) as [PlannedPoints];
  const positions = new Map(region_ids.map((id, position) => [id, position]));
  const regionOf = found.plan.series.map(({ region_id }) => positions.get(region_id)!);
  const first = regionOf.indexOf(Math.min(...regionOf));
  const unit_id = found.plan.series[first]?.unit_id ?? NO_UNIT_ID;
  const request = unit_id === NO_UNIT_ID ? found : { ...found, unitId: unit_id };
  return {
    /** For each series, the index of its region in `region_ids`. */
    regionOf,
    unit_id: unitOrNull(unit_id),
    async *runs(): AsyncGenerator<RegionRun> {
      for await (const list of await preparePoints(request, service, signal)) {
        for (const run of list) {
          checkUnits(run, unit_id);
          for (let from = 0; from < run.length; from += ROWS_PER_TURN) {
            await turns.next();
            yield regionRun(
              sliceRun(run, from, Math.min(run.length, from + ROWS_PER_TURN)),
              regionOf[run.series]!,
            );
          }
        }
      }
    },
  };
}

/** Checks that all points have the given unit. @throws UnitError if a point has a different unit, or none */
function checkUnits(run: PackedPoints, unit_id: number): void {
  const units = typeof run.unit_id === 'number' ? [run.unit_id] : run.unit_id;
  const other = units.find((unit) => unit !== unit_id);
  if (other === undefined) return;
  const message = `values with unit_id ${unit_id} and ${unitOrNull(other) ?? 'values without a unit'} cannot be added together`;
  throw new UnitError(unitOrNull(other), message);
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
