import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { rowsLike } from '../../frame/formats/from-rows.js';
import { type Frame, frameOf } from '../../frame/frame.js';
import { knownPoints, readSeries } from '../../frame/series/series-points.js';
import { derivedMetadata, withMetadata } from '../../frame/table/provenance.js';
import { seriesName } from '../../frame/table/series-view.js';
import { ArgumentError } from '../../model/errors.js';
import {
  checkRequiredOptions,
  fieldsOf,
  type OptionsOf,
  optionsOf,
  required,
} from '../../model/schema/check.js';
import { functionOf, SHARE } from '../../model/schema/schemas.js';
import { SELECTION_KEYS, type Selection, selectionTest } from '../../model/selection.js';
import { formatDay } from '../../model/time.js';
import { sliceDays } from '../degree-days/daily-values.js';
import { countDays, MIN_TEMPORAL_COVERAGE } from '../degree-days/missing-days.js';
import { dayInterval, SEASON_KEYS, type SeasonBounds, type SeasonSpan } from '../degree-days/seasons.js';
import { type DailySeries, dailySeries, seasonsOfSeries } from './daily-series.js';

const STATISTIC = {
  /** Selects the series by ids. At most one series per region may match. */
  of: required(optionsOf<Selection>(SELECTION_KEYS)),
  /**
   * Computes the statistic from the season's daily values, in which NaN marks a missing value. `start_date` is the
   * season's first day. A result of null or NaN becomes null in the frame.
   */
  compute: required(functionOf<(values: Float64Array, start_date: string) => number | null>()),
};
/** A statistic to compute for each season of a daily series. */
export interface SeasonStatistic extends OptionsOf<typeof STATISTIC> {}

const OWN_COLUMNS = ['region_id', 'region_name', 'season', 'start_date', 'end_date', 'coverage'];

const STATISTICS = v.pipe(
  v.record(v.string(), fieldsOf<SeasonStatistic>(STATISTIC)),
  v.check((statistics) => Object.keys(statistics).length > 0, 'is empty; pass { name: { of, compute } }'),
  v.check(
    (statistics) => columnTaken(statistics) === undefined,
    ({ input }) => `"${columnTaken(input)}" is already a column; choose a different name`,
  ),
);

function columnTaken(statistics: object): string | undefined {
  return Object.keys(statistics).find((name) => OWN_COLUMNS.includes(name));
}

const STATISTICS_KEYS = {
  /** The statistics, keyed by column name. */
  statistics: required(STATISTICS),
  /** The first and last day of each year's season. If omitted, all days of the frame form a single season. */
  season: optionsOf<SeasonBounds>(SEASON_KEYS),
  /** The minimum share of a season's days that must have a value (default 1). Below it, a statistic is null. */
  min_temporal_coverage: SHARE,
};
/** The statistics to compute, and the season to compute them for. */
export interface SeasonStatisticsOptions extends OptionsOf<typeof STATISTICS_KEYS> {}

export function seasonStatistics(table: Table, options: SeasonStatisticsOptions): Frame {
  checkRequiredOptions(options, STATISTICS_KEYS, 'seasonStatistics');
  const { statistics, season, min_temporal_coverage = MIN_TEMPORAL_COVERAGE } = options;
  const all = readSeries(table);
  const chosen = Object.entries(statistics).map(([name, { of, compute }]) => {
    const isChosen = selectionTest(of);
    const points = all.filter(({ view }) => isChosen(view)).map(knownPoints);
    return { name, compute, series: byRegion(name, points.map(dailySeries)) };
  });
  const series = chosen.flatMap((one) => [...one.series.values()]);
  const spans = seasonsOfSeries(series, season);
  const regions = new Map(series.map(({ view }) => [view.key.region_id, view.names.get('region_name')]));
  const rows = [...regions].flatMap(([region_id, region_name = String(region_id)]) =>
    spans.map((span) => {
      const computed = chosen.map(({ series, compute }) =>
        computeStatistic(series.get(region_id), span, { compute, min_temporal_coverage }),
      );
      return {
        region_id,
        region_name,
        season: span.year,
        ...dayInterval(span),
        ...Object.fromEntries(chosen.map(({ name }, at) => [name, computed[at]!.value])),
        coverage: Math.min(...computed.map(({ coverage }) => coverage)),
      };
    }),
  );
  const shown = Object.fromEntries(
    Object.entries(statistics).map(([name, { of, compute }]) => [name, { of, compute: String(compute) }]),
  );
  const step = `seasonStatistics(${JSON.stringify({ ...options, statistics: shown })})`;
  const example = {
    ...{ region_id: 0, region_name: '', season: 2000, start_date: '2000-01-01', end_date: '2000-12-31' },
    ...Object.fromEntries(Object.keys(statistics).map((name) => [name, 0])),
    coverage: 1,
  };
  return frameOf(withMetadata(rowsLike(rows, example), derivedMetadata(table, step)));
}

function byRegion(name: string, series: readonly DailySeries[]): Map<number, DailySeries> {
  const regions = new Map<number, DailySeries>();
  for (const each of series) {
    const { region_id } = each.view.key;
    if (regions.has(region_id)) {
      throw new ArgumentError(
        'statistics',
        `statistics.${name} selects several series for one region, such as ${seriesName(each.view)}; select one series per region`,
      );
    }
    regions.set(region_id, each);
  }
  if (regions.size > 0) return regions;
  throw new ArgumentError(
    'statistics',
    `statistics.${name} selects no series in the frame; use ids that the frame has`,
  );
}

function computeStatistic(
  series: DailySeries | undefined,
  span: SeasonSpan,
  { compute, min_temporal_coverage }: { compute: SeasonStatistic['compute']; min_temporal_coverage: number },
): { value: number | null; coverage: number } {
  if (series === undefined) return { value: null, coverage: 0 };
  const values = sliceDays(series, span);
  const coverage = countDays(values) / span.days;
  if (coverage < min_temporal_coverage) return { value: null, coverage };
  const value = compute(values, formatDay(span.firstMs));
  return { value: value === null || Number.isNaN(value) ? null : value, coverage };
}
