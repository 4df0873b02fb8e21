import type { Table } from 'apache-arrow';
import type { ServiceClient } from '../../client/client.js';
import type { PointSet } from '../../columns/point-columns.js';
import { NO_UNIT_ID } from '../../compute/units.js';
import { longFrame } from '../../frame/build/long.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import { columnMetadata } from '../../frame/table/names.js';
import type { PointFlags } from '../../model/point.js';
import type { LongOperation } from '../../model/progress.js';
import type { RetrievalReport } from '../../model/report.js';
import type { DataSeries } from '../../model/series.js';
import { frameContext } from '../../saved/frame-names.js';
import { averageFrame } from '../weights/average-frame.js';
import { regionColumns, withValues } from '../weights/region-columns.js';
import { metadataOfRegions } from '../weights/regions-metadata.js';
import type { SeriesWeights } from '../weights/row-weights.js';
import {
  cropWeightedAverage,
  type WeightingFunction,
  weightSeries,
  weightSeriesInto,
} from '../weights/weighted-series.js';
import {
  type RegionWeights,
  type WeightedRegion,
  weightsByYear,
  weightsFromMeans,
} from '../weights/weights.js';
import { fetchRegionSeries } from './region-fetch.js';
import {
  type CropRegion,
  type RegionOrName,
  type ResolvedRegion,
  resolveRegions,
} from './resolve-regions.js';

/** Which points are retrieved: those of a period, as they were known at a time. */
export interface RetrievalOptions
  extends LongOperation,
    Pick<PointFlags, 'start_date' | 'end_date' | 'at_time'> {}

/** What is weighted by which crop, where, and when. */
export interface CropWeightedOptions extends RetrievalOptions {
  /** The crop whose figures weigh the regions, by name. */
  weighting_crop_name: string;
  /** The metric of that crop, by name, such as `Area harvested`. */
  weighting_metric_name: string;
  /** The item that is weighted, by name. */
  item_name: string;
  /** The metric of that item, by name. */
  metric_name: string;
  /** By name, or by id and name. */
  regions: readonly (string | CropRegion)[];
  /** Default weight × value. */
  weighting_func?: WeightingFunction | undefined;
  /** First date of the period whose mean is the weight; by default the first date of the series. */
  weighting_start_date?: string | undefined;
  /** Last date of that period; by default the last date of the series. */
  weighting_end_date?: string | undefined;
  /** `'year'` weighs each year by that year's own mean; default `'mean'`, over time. */
  weights_by?: 'mean' | 'year' | undefined;
}

/** The average summed across regions. */
export interface CropWeightedAverageOptions extends CropWeightedOptions {
  /** Divide by the weight of the regions that have a value in the period; false by default. */
  renormalise?: boolean | undefined;
}

/** Weights of regions, in their order, with what they rest on. */
export interface ExplainedWeights extends RegionWeights {
  readonly regions: readonly WeightedRegion[];
  /** The series chosen for each region; null where there is none. */
  readonly series: readonly (DataSeries | null)[];
}

/** The regions that are weighed, and the period whose mean is the weight. */
export interface ExplainWeightsOptions extends RetrievalOptions {
  /** By name, or by id and name. */
  regions: readonly RegionOrName[];
}

/** Weighting series of regions by what a crop is there. */
export interface CropWeightingOperations {
  /**
   * One weight a region: the mean over time of the metric for the crop there, normalised so that they sum to 1.
   * @throws ArgumentError when a region is unknown, or the weights sum to 0; UnitError when units cannot be converted to
   * one another
   * @example
   * ```ts
   * const weights = await client.computeWeights('corn', 'area harvested', ['iowa', 'illinois']);
   * ```
   */
  computeWeights(crop_name: string, metric_name: string, regions: readonly RegionOrName[]): Promise<number[]>;

  /**
   * The weights with the series chosen for each region. A region without data weighs 0 and is named in `without_data`.
   * @throws what `computeWeights` throws
   */
  explainWeights(
    crop_name: string,
    metric_name: string,
    options: ExplainWeightsOptions,
  ): Promise<ExplainedWeights>;

  /**
   * The item's series of every region with its values adjusted by the region's weight, as a long frame.
   * @throws what `computeWeights` throws; PartialDataError when some series failed
   */
  computeCropWeightedSeries(options: CropWeightedOptions): Promise<LongFrame>;

  /**
   * The weighted values summed across regions: one row a period, with the total weight of the regions that have a value.
   * @throws what `computeCropWeightedSeries` throws
   * @example
   * ```ts
   * const average = await client.computeCropWeightedAverage({
   *   weighting_crop_name: 'corn',
   *   weighting_metric_name: 'area harvested',
   *   item_name: 'precipitation',
   *   metric_name: 'precipitation',
   *   regions: ['iowa', 'illinois'],
   * });
   * ```
   */
  computeCropWeightedAverage(options: CropWeightedAverageOptions): Promise<Table>;
}

/** Crop weighting, over the service. */
export function cropWeightingOperations(client: ServiceClient): CropWeightingOperations {
  async function explainWeights(
    crop_name: string,
    metric_name: string,
    { regions: asked, ...options }: ExplainWeightsOptions,
  ): Promise<ExplainedWeights> {
    const regions = await resolveRegions(client, asked, options.signal);
    const found = await fetchRegionSeries(client, {
      item: crop_name,
      metric: metric_name,
      regions,
      ...options,
    });
    return { regions, series: found.chosen, ...weightsFromMeans(regionColumns(found.points), regions) };
  }

  async function computeWeights(
    crop_name: string,
    metric_name: string,
    regions: readonly RegionOrName[],
  ): Promise<number[]> {
    return (await explainWeights(crop_name, metric_name, { regions })).weights;
  }

  async function weightedPoints(options: CropWeightedOptions) {
    const { item_name, metric_name, start_date, end_date, at_time, signal, onProgress } = options;
    const watch = { signal, onProgress, ...(at_time === undefined ? {} : { at_time }) };
    const regions = await resolveRegions(client, options.regions, signal);
    const weights = await weightsFor({ ...options, regions }, watch);
    const measured = regions.map((region) => region.proxy_region ?? region);
    const found = await fetchRegionSeries(client, {
      item: item_name,
      metric: metric_name,
      regions: measured,
      ...(start_date === undefined ? {} : { start_date }),
      ...(end_date === undefined ? {} : { end_date }),
      ...watch,
    });
    return { weights, points: ofRegions(found.points, regions), report: found.report };
  }

  async function weightsFor(
    options: CropWeightedOptions & { regions: readonly ResolvedRegion[] },
    watch: RetrievalOptions,
  ): Promise<SeriesWeights> {
    const { regions, weighting_crop_name, weighting_metric_name } = options;
    const { weighting_start_date, weighting_end_date, weights_by = 'mean' } = options;
    const found = await fetchRegionSeries(client, {
      item: weighting_crop_name,
      metric: weighting_metric_name,
      regions,
      ...(weighting_start_date === undefined ? {} : { start_date: weighting_start_date }),
      ...(weighting_end_date === undefined ? {} : { end_date: weighting_end_date }),
      ...watch,
    });
    const columns = regionColumns(found.points);
    return weights_by === 'year' ? weightsByYear(columns, regions) : weightsFromMeans(columns, regions);
  }

  async function describe(
    points: PointSet,
    report: RetrievalReport,
    asked: object,
    signal: AbortSignal | undefined,
  ) {
    return frameContext(client, points, { asked, report, signal });
  }

  async function computeCropWeightedSeries(options: CropWeightedOptions): Promise<LongFrame> {
    const { weights, points, report } = await weightedPoints(options);
    const columns = regionColumns(points);
    const values =
      options.weighting_func === undefined
        ? weightSeriesInto(columns.value, columns, weights)
        : weightSeries(columns, weights, options.weighting_func);
    const weighted = withValues(points, values);
    const { names, provenance } = await describe(weighted, report, askedOf(options, weights), options.signal);
    return longFrame(weighted, { names, provenance });
  }

  async function computeCropWeightedAverage(options: CropWeightedAverageOptions): Promise<Table> {
    const { weights, points, report } = await weightedPoints(options);
    const { renormalise, weighting_func } = options;
    const average = cropWeightedAverage(regionColumns(points), weights, { renormalise, weighting_func });
    const { names, provenance } = await describe(points, report, askedOf(options, weights), options.signal);
    const unit_id = points.batches[0]?.unit_id[0] ?? NO_UNIT_ID;
    const metadata = metadataOfRegions(
      points.series.map((series) => columnMetadata({ series, unit_id }, names)),
    );
    return averageFrame(average, { unit_id, metadata, provenance });
  }

  return { computeWeights, explainWeights, computeCropWeightedSeries, computeCropWeightedAverage };
}

/** The points under the regions that are weighed, also where another place stands in for one. */
function ofRegions({ series, batches }: PointSet, regions: readonly ResolvedRegion[]): PointSet {
  return { series: series.map((one, i) => ({ ...one, region_id: regions[i]!.id })), batches };
}

function askedOf(
  { signal: _, onProgress: __, weighting_func, ...options }: CropWeightedOptions,
  weights: SeriesWeights,
): object {
  return {
    ...options,
    weighting_func: weighting_func === undefined ? 'weight × value' : 'a function of the caller',
    weights: 'weights' in weights ? weights : Object.fromEntries(weights),
  };
}
