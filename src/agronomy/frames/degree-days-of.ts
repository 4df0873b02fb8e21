import type { Table } from 'apache-arrow';
import { WeightedPeriods } from '../../compute/weighting.js';
import { rowsLike } from '../../frame/formats/from-rows.js';
import { type Frame, frameOf } from '../../frame/frame.js';
import { knownPoints, readSeries } from '../../frame/series/series-points.js';
import { derivedMetadata, readProvenance, withMetadata } from '../../frame/table/provenance.js';
import { type SeriesView, seriesName, unitOf } from '../../frame/table/series-view.js';
import { yearOf } from '../../model/calendar.js';
import { badArgument, UnitError } from '../../model/errors.js';
import type { Provenance } from '../../model/provenance.js';
import { checkRequiredOptions, type OptionsOf, optionsOf } from '../../model/schema/check.js';
import { SHARE } from '../../model/schema/schemas.js';
import { SELECTION_KEYS, type Selection, selectionTest } from '../../model/selection.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import { temperaturesWithin } from '../degree-days/daily-values.js';
import { type DegreeDaySum, sumDegreeDays } from '../degree-days/degree-days.js';
import { MIN_TEMPORAL_COVERAGE, MISSING_DAYS } from '../degree-days/missing-days.js';
import {
  type AppliedRule,
  applyRule,
  type DegreeDayRule,
  type ExtremesOf,
  isTemperatureUnit,
  RULE_KEYS,
  TEMPERATURE_ITEMS,
  TEMPERATURE_SYMBOLS,
  type TemperatureUnit,
} from '../degree-days/plan.js';
import { dayInterval, SEASON_KEYS, type SeasonBounds, type SeasonSpan } from '../degree-days/seasons.js';
import {
  MIN_WEIGHT,
  requireOneSeries,
  requireWeightedRegion,
  shownOptions,
} from '../weighting/weigh-regions.js';
import { constantWeights, type RegionWeight, readWeights, WEIGHTS } from '../weighting/weights.js';
import { type DailySeries, dailySeries, seasonsOfSeries } from './daily-series.js';

const FRAME_KEYS = {
  /** The daily minima, selected by ids; by default, the series of the item "Temperature min". */
  tmin: optionsOf<Selection>(SELECTION_KEYS),
  /** The daily maxima, selected by ids; by default, the series of the item "Temperature max". */
  tmax: optionsOf<Selection>(SELECTION_KEYS),
  /** The first and last day of each year's season. If omitted, all days of the frame form a single season. */
  season: optionsOf<SeasonBounds>(SEASON_KEYS),
  /** How to count a day with no minimum or maximum; default `'zero'`. */
  missing: MISSING_DAYS,
  /** The minimum share of a season's days that must have both values (default 1). Below it, the total is null. */
  min_temporal_coverage: SHARE,
  /** The region weights. If set, the result has one row per season, with the weighted mean across all regions. */
  weights: WEIGHTS,
  /**
   * If `weights` is set, the minimum share of the weight that regions with degree days must hold (default 1). Below it,
   * the season's mean is null.
   */
  min_weight_present: MIN_WEIGHT,
};
/** The degree-day rule, the season, the weights, and the selection of the frame's temperature series. */
export interface FrameDegreeDaysOptions extends DegreeDayRule, OptionsOf<typeof FRAME_KEYS> {}

export function degreeDaysOf(table: Table, options: FrameDegreeDaysOptions): Frame {
  checkRequiredOptions(options, { ...RULE_KEYS, ...FRAME_KEYS }, 'degreeDays');
  const { season, weights, missing = 'zero', min_temporal_coverage = MIN_TEMPORAL_COVERAGE } = options;
  const rule = applyRule(options);
  const pairs = temperaturePairs(table, options, rule.temperature_unit);
  const spans = seasonsOfSeries(
    pairs.flatMap((pair) => [pair.tmin, pair.tmax]),
    season,
  );
  const results = pairs.flatMap((pair) =>
    spans.map((span): SeasonTotal => {
      const result = sumDegreeDays(temperaturesWithin(pair, span), { rule, missing });
      const total = result.coverage >= min_temporal_coverage ? result.total : null;
      return { pair, span, result, total };
    }),
  );
  const frame =
    weights === undefined
      ? rowsLike(results.map(regionRow), REGION_EXAMPLE)
      : rowsLike(weightedRows(results, weights, options), SEASON_EXAMPLE);
  const noted = results.filter(({ result }) => result.notes.length > 0);
  const note =
    noted.length === 0
      ? ''
      : `: ${noted[0]!.result.notes[0]}, in ${noted.length} of ${results.length} seasons`;
  const step = `degreeDays(${shownOptions(options)})${note}`;
  return frameOf(withMetadata(frame, derivedMetadata(table, step)));
}

interface SeasonTotal {
  readonly pair: TemperaturePair;
  readonly span: SeasonSpan;
  readonly result: DegreeDaySum;
  /** The season's degree days; null if too few days have both temperatures. */
  readonly total: number | null;
}

/** Example rows that define the result's columns and their types. */
const [TOTAL_EXAMPLE, RULE_EXAMPLE] = [
  { season: 2000, total: 0, unit: '°C·day' },
  { method: '', cutoff: '', base_temperature: 0, upper_temperature_cap: 0 },
];
const DATES_EXAMPLE = { start_date: '2000-01-01', end_date: '2000-12-31' };
const SEASON_EXAMPLE = { ...TOTAL_EXAMPLE, weight_present: 1, ...DATES_EXAMPLE, ...RULE_EXAMPLE };
const REGION_EXAMPLE = {
  ...{ region_id: 0, region_name: '', ...TOTAL_EXAMPLE, coverage: 1 },
  ...{ ...DATES_EXAMPLE, source_name: '', ...RULE_EXAMPLE },
};

function regionRow({ pair, span, result, total }: SeasonTotal) {
  const { key, names } = pair.tmin.view;
  return {
    region_id: key.region_id,
    region_name: names.get('region_name') ?? String(key.region_id),
    season: span.year,
    total,
    unit: degreeDayUnit(result),
    coverage: result.coverage,
    ...dayInterval(span),
    source_name: names.get('source_name') ?? String(key.source_id),
    ...ruleFields(result),
  };
}

function degreeDayUnit({ temperature_unit }: AppliedRule): string {
  return `${TEMPERATURE_SYMBOLS[temperature_unit]}·day`;
}

function ruleFields({ method, cutoff, base_temperature, upper_temperature_cap }: AppliedRule) {
  return { method, cutoff, base_temperature, upper_temperature_cap };
}

function weightedRows(
  results: readonly SeasonTotal[],
  weights: readonly RegionWeight[],
  { min_weight_present }: FrameDegreeDaysOptions,
) {
  const byRegion = readWeights(weights);
  const regionOf = ({ tmin }: TemperaturePair) => tmin.view.key.region_id;
  const isWeighted = (pair: TemperaturePair) => (byRegion.get(regionOf(pair)) ?? 0) > 0;
  const pairs = [...new Set(results.map(({ pair }) => pair))];
  requireOneSeries(pairs.filter(isWeighted).map(regionOf));
  requireWeightedRegion(pairs.map(regionOf), byRegion);
  const periods = new WeightedPeriods(constantWeights(byRegion), { how: 'mean', min_weight_present });
  for (const { pair, span, total } of results.filter(({ pair }) => isWeighted(pair)))
    periods.add({
      region: regionOf(pair),
      start_date: Float64Array.of(span.firstMs),
      end_date: Float64Array.of(span.firstMs + (span.days - 1) * DAY_MS),
      value: Float64Array.of(total ?? Number.NaN),
    });
  return periods.periods().map(({ start, end, value, weight_present }) => ({
    season: yearOf(start),
    total: Number.isNaN(value) ? null : value,
    unit: degreeDayUnit(results[0]!.result),
    weight_present,
    start_date: formatDay(start),
    end_date: formatDay(end),
    ...ruleFields(results[0]!.result),
  }));
}

type TemperaturePair = ExtremesOf<DailySeries>;

function temperaturePairs(
  table: Table,
  choice: Pick<FrameDegreeDaysOptions, 'tmin' | 'tmax'>,
  unit: TemperatureUnit,
): TemperaturePair[] {
  const halves = new Map<string, Partial<TemperaturePair>>();
  const series = readSeries(table);
  const provenance = readProvenance(table);
  for (const side of ['tmin', 'tmax'] as const) {
    const isChosen = choiceTest(choice[side], TEMPERATURE_ITEMS[side]);
    for (const points of series.filter(({ view }) => isChosen(view))) {
      const { view } = points;
      requireUnit(view, provenance, unit);
      const place = `${view.key.region_id} ${view.key.partner_region_id} ${view.key.source_id}`;
      const pair = halves.get(place) ?? {};
      if (pair[side] !== undefined) {
        throw badArgument(
          side,
          `there are several ${side} series with the same region and source as ${seriesName(view)}; select one`,
        );
      }
      halves.set(place, { ...pair, [side]: dailySeries(knownPoints(points)) });
    }
  }
  if (halves.size === 0) {
    throw badArgument(
      'table',
      'no series has the item name "Temperature min" or "Temperature max"; set include_names in the request, or select the series with tmin and tmax',
    );
  }
  return [...halves.values()].map(wholePair);
}

function choiceTest(choice: Selection | undefined, name: string): (view: SeriesView) => boolean {
  if (choice === undefined) return ({ names }) => names.get('item_name') === name;
  return selectionTest(choice);
}

function wholePair({ tmin, tmax }: Partial<TemperaturePair>): TemperaturePair {
  if (tmin !== undefined && tmax !== undefined) return { tmin, tmax };
  const [lacking, { view }] = tmin === undefined ? ['tmin', tmax!] : ['tmax', tmin];
  throw badArgument(
    lacking,
    `the frame has no ${lacking} series from the source of ${seriesName(view)}; request both series, or omit the region`,
  );
}

function requireUnit(view: SeriesView, provenance: Provenance | null, unit: TemperatureUnit): void {
  const symbol = unitOf(view, provenance);
  if (isTemperatureUnit(symbol, unit)) return;
  const wanted = TEMPERATURE_SYMBOLS[unit];
  const is = symbol === '' ? 'is in an unknown unit' : `is in ${symbol}`;
  throw new UnitError(
    view.unit_id,
    `${seriesName(view)} ${is}, not in ${wanted}; request it in ${wanted}, or set temperature_unit to its unit and convert the thresholds`,
  );
}
