import type { TypeMap } from 'apache-arrow';
import { Frame, type LongFrame } from '../../frame/frame.js';
import { type WeightingOptions, weighRegions } from '../weighting/weigh-regions.js';
import { degreeDaysOf, type FrameDegreeDaysOptions } from './degree-days-of.js';
import { type SeasonStatisticsOptions, seasonStatistics } from './season-statistics.js';

declare module '../../frame/frame.js' {
  interface Frame<Columns extends TypeMap> {
    /**
     * Computes degree days for every region and season from the frame's daily minima and maxima. The result has one row
     * per region, source and season, with the columns `region_id`, `region_name`, `season` (the year in which the
     * season begins), `total`, `unit`, `coverage` (the share of the season's days that have both values), `start_date`,
     * `end_date`, `source_name`, and the degree-day rule. A total is null if the coverage is below
     * `min_temporal_coverage`. With `weights`, the result has one row per season, with the columns `season`, `total`,
     * `unit`, `weight_present` (the share of the weight held by regions with a total), `start_date`, `end_date`, and
     * the rule. This method exists only if `cropframe/agronomy` has been imported.
     * @throws ArgumentError if a minimum has no matching maximum or vice versa, if a series is not daily, if a weighted
     * region has several sources, or if no weighted region is in the frame
     * @throws UnitError if a series is not in `temperature_unit`
     */
    degreeDays(options: FrameDegreeDaysOptions): Frame;

    /**
     * Computes statistics of daily series, such as rainfall totals or the number of hot days, for every region and
     * season. The result has one row per region and season, with the columns `region_id`, `region_name`, `season` (the
     * year in which the season begins), `start_date`, `end_date`, one column per statistic, and `coverage`: the share
     * of days with a value in the region's least complete series. A statistic is null if its own series' share is below
     * `min_temporal_coverage`. If the region has no series for a statistic, the statistic is null and the coverage is
     * 0. This method exists only if `cropframe/agronomy` has been imported.
     * @throws ArgumentError if a series is not daily, or if a statistic selects more than one series for a region, or
     * no series at all
     */
    seasonStatistics(options: SeasonStatisticsOptions): Frame;

    /**
     * Computes the weighted average or sum of series across regions. The result is a long frame with one series for
     * each metric, item, partner region and frequency. It has one row for each period that occurs in any region, in
     * ascending order of end date. `weight_present` is the share of the weight held by regions with a value; if it is
     * below `min_weight_present`, the value is null. `how: 'each'` instead keeps each region's own series and rows, and
     * weights the values. This method exists only if `cropframe/agronomy` has been imported.
     * @throws ArgumentError if a region has several series of the same kind, such as from two sources, or if no region
     * in the frame has a weight; UnitError if the values to combine have different units
     */
    weighted(options?: WeightingOptions): LongFrame;
  }
}

const METHODS: Pick<Frame, 'degreeDays' | 'seasonStatistics' | 'weighted'> = {
  degreeDays(this: Frame, options) {
    return degreeDaysOf(this, options);
  },
  seasonStatistics(this: Frame, options) {
    return seasonStatistics(this, options);
  },
  weighted(this: Frame, options) {
    return weighRegions(this, options);
  },
};

// The properties are not enumerable, like the methods of a class.
for (const [name, value] of Object.entries(METHODS))
  Object.defineProperty(Frame.prototype, name, { value, writable: true, configurable: true });
