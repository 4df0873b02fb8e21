import type { Table } from 'apache-arrow';
import { knownPoints, readSeries } from '../../frame/series/series-points.js';
import { readProvenance } from '../../frame/table/provenance.js';
import type { SeriesView } from '../../frame/table/series-view.js';
import { ArgumentError, UnitError } from '../../model/errors.js';
import { type Selection, selectionTest } from '../../model/selection.js';
import {
  isTemperatureName,
  isTemperatureSymbol,
  TEMPERATURE_SYMBOLS,
  type TemperatureUnit,
} from '../degree-days/plan.js';
import { type DailySeries, dailySeries, seriesName } from './daily-series.js';

/** The daily minima and maxima of one region from one source. */
export interface TemperaturePair {
  readonly tmin: DailySeries;
  readonly tmax: DailySeries;
}

/** Which series are minima and which are maxima; by default those of the items of these names. */
export interface TemperatureChoice {
  /** The daily minima, by ids. */
  tmin?: Selection | undefined;
  /** The daily maxima, by ids. */
  tmax?: Selection | undefined;
}

const ITEM_NAMES = { tmin: 'Temperature min', tmax: 'Temperature max' } as const;

/**
 * The minima and maxima of each region and source of a frame, in order of first appearance.
 * @throws ArgumentError when there are none, one has no counterpart, or a region has several
 * @throws UnitError when a series is not in this unit, or its unit is unknown
 */
export function temperaturePairs(
  table: Table,
  choice: TemperatureChoice,
  unit: TemperatureUnit,
): TemperaturePair[] {
  const halves = new Map<string, Partial<Record<'tmin' | 'tmax', DailySeries>>>();
  const series = readSeries(table);
  const units = unitSymbols(table);
  for (const side of ['tmin', 'tmax'] as const) {
    const isChosen = choiceTest(choice[side], ITEM_NAMES[side]);
    for (const points of series.filter(({ view }) => isChosen(view))) {
      const { view } = points;
      requireUnit(view, units, unit);
      const place = `${view.key.region_id} ${view.key.partner_region_id} ${view.key.source_id}`;
      const pair = halves.get(place) ?? {};
      if (pair[side] !== undefined) {
        throw new ArgumentError(
          side,
          `${side}: ${seriesName(view)} has several series of one source; select one`,
        );
      }
      halves.set(place, { ...pair, [side]: dailySeries(knownPoints(points)) });
    }
  }
  if (halves.size === 0) {
    throw new ArgumentError(
      'table',
      'table: no series is named "Temperature min" or "Temperature max"; request include_names, or select tmin and tmax',
    );
  }
  return [...halves.values()].map(wholePair);
}

function choiceTest(choice: Selection | undefined, name: string): (view: SeriesView) => boolean {
  if (choice === undefined) return ({ names }) => names.get('item_name') === name;
  return selectionTest(choice);
}

function wholePair({ tmin, tmax }: Partial<Record<'tmin' | 'tmax', DailySeries>>): TemperaturePair {
  if (tmin !== undefined && tmax !== undefined) return { tmin, tmax };
  const [lacking, { view }] = tmin === undefined ? ['tmin', tmax!] : ['tmax', tmin];
  throw new ArgumentError(
    lacking,
    `${lacking}: the source of ${seriesName(view)} has none in this frame; request both, or leave the region out`,
  );
}

/** The symbols of a frame's units by id. */
function unitSymbols(table: Table): ReadonlyMap<number, string> {
  const { units = [] } = readProvenance(table) ?? {};
  return new Map(units.map(({ id, abbreviation }) => [id, abbreviation]));
}

function requireUnit(view: SeriesView, units: ReadonlyMap<number, string>, unit: TemperatureUnit): void {
  const { unit_id, names } = view;
  const symbol =
    names.get('unit_abbreviation') ?? units.get(unit_id ?? Number.NaN) ?? names.get('unit_name') ?? null;
  const wanted = TEMPERATURE_SYMBOLS[unit];
  if (symbol !== null && (isTemperatureSymbol(symbol, unit) || isTemperatureName(symbol, unit))) return;
  const is = symbol === null ? 'has no known unit' : `is in ${symbol}`;
  throw new UnitError(
    unit_id,
    `${seriesName(view)} ${is}, not in ${wanted}; request it in ${wanted}, or pass its temperature_unit with base and cap in it`,
  );
}
