import type { TypeMap } from 'apache-arrow';
import { Frame, type LongFrame } from '../../frame/frame.js';
import { type WeightingOptions, weighRegions } from '../weighting/weigh-regions.js';
import { degreeDaysOf, type FrameDegreeDaysOptions } from './degree-days-of.js';
import { type SeasonStatisticsOptions, seasonStatistics } from './season-statistics.js';

declare module '../../frame/frame.js' {
  interface Frame<Columns extends TypeMap> {
    /**
     * Computes degree days of every region and season from the frame's daily minima and maxima. The result has one row
     * per region, source and season: `region_id`, `region_name`, `season` (the year in which it begins), `total` in
     * `unit`, `coverage` (the share of the season's days with both values), `start_date`, `end_date`, `source_name`,
     * and the rule. A total is null if the coverage is below `min_temporal_coverage`. With `weights`, the result has
     * one row per season: `season`, `total` in `unit`, `weight_present` (the share of the weight whose regions have a
     * total), `start_date`, `end_date`, and the rule. The method exists if `cropframe/agronomy` is loaded.
     * @throws ArgumentError if a minimum has no maximum, a series is not daily, a weighted region has several sources,
     * or no weighted region is in the frame
     * @throws UnitError if a series is not in `temperature_unit`
     */
    degreeDays(options: FrameDegreeDaysOptions): Frame;

    /**
     * Computes numbers for every region and season of daily series, such as rain sums and heat days. The result has one
     * row per region and season: `region_id`, `region_name`, `season` (the year in which it begins), `start_date`,
     * `end_date`, a column for each statistic, and `coverage`, the lowest share of days with a value among its series.
     * A statistic is null if that share is below `min_temporal_coverage`. If the region lacks the series, the statistic
     * is null and the coverage 0. The method exists if `cropframe/agronomy` is loaded.
     * @throws ArgumentError if a series is not daily, or a statistic has several series of one region, or none at all
     */
    seasonStatistics(options: SeasonStatisticsOptions): Frame;

    /**
     * Averages or sums series across regions, by weight. The result is a long frame with a series for each metric,
     * item, partner region and frequency, and a row for each period of any region, ascending by end. `weight_present`
     * is the share of the weight held by regions with a value. The value is null if that share is below
     * `min_weight_present`. `how: 'each'` keeps the series of the regions and their rows, and weights their values. The
     * method exists if `cropframe/agronomy` is loaded.
     * @throws ArgumentError if a region has several series of one kind, such as from two sources, or no region of the
     * frame has a weight; UnitError if values to add have several units
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

// Defined as not enumerable, like the methods of a class.
for (const [name, value] of Object.entries(METHODS))
  Object.defineProperty(Frame.prototype, name, { value, writable: true, configurable: true });
