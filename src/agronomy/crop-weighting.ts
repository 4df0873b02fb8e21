import type { Table } from 'apache-arrow';
import type { ServiceClient } from '../client/client.js';
import { longFrame } from '../frame/long.js';
import type { PointFlags, PointSet } from '../model/point.js';
import type { LongOperation } from '../model/progress.js';
import type { RetrievalReport } from '../model/report.js';
import type { DataSeries } from '../model/series.js';
import { frameContext } from '../saved/frame-names.js';
import { averageFrame } from './average-frame.js';
import { regionColumns, withValues } from './region-columns.js';
import { fetchRegionSeries } from './region-fetch.js';
import { cropWeightedAverage, type WeightingFunction, weightSeries } from './weighted-series.js';
import { type RegionWeights, type WeightedRegion, weightsFromMeans } from './weights.js';

/** A region of a weighting. */
export interface CropRegion extends WeightedRegion {
  /** Where the item's values are taken instead of the region itself, such as its weather station. */
  readonly stand_in?: WeightedRegion;
}

type RetrievalOptions = LongOperation & Pick<PointFlags, 'start_date' | 'end_date' | 'at_time'>;

export interface CropWeightedOptions extends RetrievalOptions {
  weighting_crop_name: string;
  weighting_metric_name: string;
  item_name: string;
  metric_name: string;
  regions: readonly CropRegion[];
  /** Default weight × value. */
  weighting_func?: WeightingFunction;
}

/** The average summed across regions. */
export interface CropWeightedAverageOptions extends CropWeightedOptions {
  /** Divide by the weight of the regions that have a value in the period; false by default. */
  renormalise?: boolean;
}

/** Weights of regions, in their order, with what they rest on. */
export interface ExplainedWeights extends RegionWeights {
  readonly regions: readonly WeightedRegion[];
  /** The series chosen for each region; null where there is none. */
  readonly series: readonly (DataSeries | null)[];
}

/** Crop weighting over a live service. */
export function cropWeightingOperations(client: ServiceClient) {
  async function explainWeights(
    crop_name: string,
    metric_name: string,
    { regions, ...options }: { regions: readonly WeightedRegion[] } & RetrievalOptions,
  ): Promise<ExplainedWeights> {
    const found = await fetchRegionSeries(client, {
      item: crop_name,
      metric: metric_name,
      regions,
      ...options,
    });
    return { regions, series: found.chosen, ...weightsFromMeans(regionColumns(found.points), regions) };
  }

  /** One weight a region: the mean over time of the metric for the crop there, normalised so that they sum to 1. */
  async function computeWeights(
    crop_name: string,
    metric_name: string,
    regions: readonly WeightedRegion[],
  ): Promise<number[]> {
    return (await explainWeights(crop_name, metric_name, { regions })).weights;
  }

  async function weightedPoints(options: CropWeightedOptions) {
    const {
      regions,
      weighting_crop_name,
      weighting_metric_name,
      item_name,
      metric_name,
      weighting_func: _,
      ...rest
    } = options;
    const { start_date: __, end_date: ___, ...throughout } = rest;
    const weights = await explainWeights(weighting_crop_name, weighting_metric_name, {
      regions,
      ...throughout,
    });
    const measured = regions.map((region) => region.stand_in ?? region);
    const found = await fetchRegionSeries(client, {
      item: item_name,
      metric: metric_name,
      regions: measured,
      ...rest,
    });
    return { weights, ...found };
  }

  async function describe(
    points: PointSet,
    report: RetrievalReport,
    asked: object,
    signal: AbortSignal | undefined,
  ) {
    return frameContext(client, points, { asked, report, signal });
  }

  /** The item's series of every region with its values adjusted by the region's weight, as a long frame. */
  async function computeCropWeightedSeries(options: CropWeightedOptions): Promise<Table> {
    const { weights, points, report } = await weightedPoints(options);
    const weighted = withValues(points, weightSeries(regionColumns(points), weights, options.weighting_func));
    const { names, provenance } = await describe(weighted, report, askedOf(options, weights), options.signal);
    return longFrame(weighted, { names, provenance });
  }

  /** The weighted values summed across regions: one row a period, with the weight of the regions that had a value. */
  async function computeCropWeightedAverage(options: CropWeightedAverageOptions): Promise<Table> {
    const { weights, points, report } = await weightedPoints(options);
    const { renormalise, weighting_func } = options;
    const average = cropWeightedAverage(regionColumns(points), weights, { renormalise, weighting_func });
    const { provenance } = await describe(points, report, askedOf(options, weights), options.signal);
    return averageFrame(average, points.batches[0]?.unit_id[0] ?? 0, provenance);
  }

  return { computeWeights, explainWeights, computeCropWeightedSeries, computeCropWeightedAverage };
}

function askedOf(
  { signal: _, onProgress: __, weighting_func, ...options }: CropWeightedOptions,
  weights: ExplainedWeights,
): object {
  return {
    ...options,
    weighting_func: weighting_func === undefined ? 'weight × value' : 'a function of the caller',
    weights: weights.weights,
    without_data: weights.without_data,
  };
}
