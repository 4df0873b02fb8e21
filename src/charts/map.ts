import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { isDeparture } from '../model/derivations.js';
import { badArgument } from '../model/errors.js';
import { upperFirst } from '../model/names/first-letter.js';
import { check, checkOptions, fieldsOf, type OptionsOf, required } from '../model/schema/check.js';
import { DATE } from '../model/schema/schemas.js';
import { formatDay, parseTime } from '../model/time.js';
import { type Chart, type ChartTexts, singlePanel, TEXT_KEYS, textWidth, wrapWords } from './chart.js';
import { frameTexts, readLines, withUnitLabel } from './frame-lines.js';
import { measureName, shortUnit } from './headline.js';
import { isolateText, NUMBER_LABEL, type Writer } from './language.js';
import { joinTexts, type PeriodValues, withValues } from './lines.js';
import { addZeroBreak, breaksOf, classColours, limitsOfAll, signedColours } from './map-colours.js';
import { featureOf, isWide, type Polygon } from './map-shapes.js';
import { INKS, QUIET_COLOUR } from './theme.js';

/** Region shapes keyed by region id, as returned by `getShapes`. A region whose shape is null is not drawn. */
export type PlottedShapes = ReadonlyMap<number, PlottedGeometries | null>;

/** A region's shape: polygons, as in GeoJSON. */
export interface PlottedGeometries {
  /** The parts of the shape. */
  readonly geometries: readonly {
    /**
     * Polygons, each of which is a list of rings. A ring is a list of positions, and a position is a longitude and a
     * latitude in degrees.
     */
    readonly coordinates: number[][][][];
  }[];
}

const SHAPE = v.nullable(
  fieldsOf({ geometries: required(v.array(fieldsOf({ coordinates: required(v.array(v.unknown())) }))) }),
);

const MAP_KEYS = {
  /** The last date of the period to draw; by default, the latest date on which most regions have a value. */
  date: DATE,
};
/** The texts, size and date of a map. */
export interface MapPlotOptions extends ChartTexts, OptionsOf<typeof MAP_KEYS> {}

/**
 * Draws a map of a frame's values on one date. Regions are coloured by class; in the light theme, the highest class is
 * darkest. Class limits apply to all dates of the frame. They are round numbers, or quantiles if one class would
 * otherwise contain most regions. Changes and anomalies have different colours below and above zero. Regions without a
 * value are grey, and the subtitle says how many there are.
 * @param table a long or wide frame with one series for each region
 * @param shapes the shapes of the regions to draw, keyed by region id, from `getShapes`
 * @throws ArgumentError if there is no value on the date, a region has more than one series, or the series have
 * different units
 */
export function plotMap(table: Table, shapes: PlottedShapes, options: MapPlotOptions = {}): Chart {
  check(v.instance(Map), shapes, 'shapes');
  for (const [region_id, shape] of shapes) check(SHAPE, shape, `shapes.get(${region_id})`);
  checkOptions(options, { ...TEXT_KEYS, ...MAP_KEYS }, 'plotMap');
  const lines = readLines(table);
  const units = [...new Set(lines.map(({ unit }) => unit))];
  if (units.length > 1)
    throw badArgument('table', `its series are in different units (${units.join(', ')})`, {
      remedy: `draw only series with the same unit`,
    });
  const byRegion = new Map<number, ReadonlyMap<number, number>>();
  for (const { key, end, value } of lines.map(withValues)) {
    if (byRegion.has(key.region_id))
      throw badArgument('table', `region ${key.region_id} has several series`, {
        remedy: `draw a single item and metric, for example with selectSeries`,
      });
    byRegion.set(key.region_id, new Map(Array.from(end, (date, row) => [date, value[row]!])));
  }
  const newest = latestCommonDate([...byRegion.values()].map((values) => values.keys()));
  const date = options.date === undefined ? newest : parseTime(options.date, 'date');
  const drawn = [...shapes].flatMap(([region_id, shape]) => {
    if (shape === null) return [];
    const polygons = shape.geometries.flatMap((one) => one.coordinates);
    return [{ polygons, value: byRegion.get(region_id)?.get(date) ?? null }];
  });
  const known = drawn.flatMap(({ value }) => value ?? []);
  const without = drawn.length - known.length;
  if (without === drawn.length)
    throw badArgument('date', `none of the shapes has a value on ${formatDay(date)}`);
  const part = without > 0 ? `${without} of ${drawn.length} regions without a value` : '';
  const notes = options.subtitle === undefined ? [formatDay(date), part] : [];
  const texts = frameTexts(table, options, notes);
  const isSigned = isDeparture(lines[0]!.metric);
  const values = [...byRegion.values()];
  const breaks = isSigned
    ? addZeroBreak(breaksOf(known), known)
    : limitsOfAll(
        values.flatMap((ofRegion) => [...ofRegion.values()]),
        values.flatMap((ofRegion) => ofRegion.get(newest) ?? []),
      );
  return shapeChart(drawn, {
    ...texts,
    isSigned,
    breaks,
    legend: withUnitLabel(lines[0]!.metric, units[0]!),
  });
}

/** Returns the latest date with over half as many values as the commonest date. @throws ArgumentError without dates */
export function latestCommonDate(datesOfRegions: Iterable<Iterable<number>>): number {
  const counts = new Map<number, number>();
  for (const dates of datesOfRegions) for (const date of dates) counts.set(date, (counts.get(date) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const common = [...counts].flatMap(([date, count]) => (2 * count > most ? date : []));
  if (common.length > 0) return Math.max(...common);
  throw badArgument('table', 'it has no values to draw');
}

/** Returns a title that names the regions with the highest and lowest values, and a subtitle that counts the values. */
export function mapTexts(
  values: readonly { readonly name: string; readonly value: number | null }[],
  texts: Pick<PeriodValues, 'unit' | 'figures'> & {
    names: Parameters<typeof measureName>[0];
    /** The period shown on the map, or the two periods whose values are compared. */
    periods: readonly string[];
    unplaced: number;
    notes: readonly string[];
    asof: string | null;
    write: Writer;
  },
) {
  const { names, periods, unit, figures, unplaced, notes, asof, write } = texts;
  const known = values.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));
  const isChange = periods.length > 1;
  const measured = measureName(names);
  const subject = isChange
    ? `Change of ${measured} from ${periods.join(' to ')}`
    : `${upperFirst(measured)} ${periods[0]}`;
  const [highest, ...others] = known.sort((a, b) => b.value - a.value);
  const lowest = others.at(-1);
  const figure = (value: number, unit: string) =>
    `${isChange && value > 0 ? '+' : ''}${write.quantity(value, unit, figures)}`;
  const low = lowest && figure(lowest.value, unit === '%' ? unit : '');
  const ends =
    lowest &&
    `: highest in ${isolateText(highest!.name)} with ${figure(highest!.value, shortUnit(unit))}, lowest in ${isolateText(lowest.name)} with ${low}`;
  const counted = (count: number, text: string) => (count > 0 ? `${write.number(count)} ${text}` : '');
  const regions = known.length === 1 ? 'region' : 'regions';
  const subtitle = joinTexts([
    periods.join(' to '),
    `${write.number(known.length)} ${regions} with a value${isChange ? ' on both' : ''}`,
    counted(values.length - known.length, 'without'),
    counted(unplaced, 'without a known location'),
    ...notes,
    asof === null ? '' : `as known at the end of ${write.day(parseTime(asof, 'day'))}`,
  ]);
  return { title: `${subject}${ends ?? ''}`, subtitle };
}

const LEGEND_WIDTH = 160;
const LEGEND_SIZE = 12;
const NO_VALUE = 'no value';
/** The plot area and a pixel around it. */
const MAP_EXTENT = { expr: '[[-1, -1], [width + 1, height + 1]]' };

/**
 * Draws shapes coloured by value. At least one shape must have a value. `breaks` are the class limits, and `around` are
 * the polygons of surrounding regions, which are drawn only as far as the map of the shapes extends.
 */
export function shapeChart(
  shapes: readonly { readonly polygons: readonly Polygon[]; readonly value: number | null }[],
  {
    breaks,
    isSigned = false,
    ...texts
  }: ChartTexts & { title: string; legend: string; breaks: readonly number[]; isSigned?: boolean },
  around: readonly (readonly Polygon[])[] = [],
): Chart {
  const known = shapes.flatMap(({ value }) => (value === null ? [] : [value]));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const title = wrapWords(texts.legend, (line) => textWidth(line, LEGEND_SIZE) <= LEGEND_WIDTH);
  const limits = { titleLimit: 2 * LEGEND_WIDTH, format: ',.12~g', labelExpr: NUMBER_LABEL };
  const description = `${texts.title}. ${texts.subtitle ?? ''}. Values of ${known.length} regions from ${low} to ${high}.`;
  const values = shapes.map(({ polygons, value }) => ({ ...featureOf(polygons), v: value }));
  const type = isWide(shapes.flatMap(({ polygons }) => polygons)) ? 'equalEarth' : 'mercator';
  return singlePanel({ ...texts, description }, ({ theme }) => {
    const { paper, grid, quiet } = INKS[theme];
    const shape = { type: 'geoshape', stroke: paper, strokeWidth: 0.5 };
    // Surrounding regions are clipped to the map of the shapes.
    const extent = { fit: { type: 'FeatureCollection', features: values }, clipExtent: MAP_EXTENT };
    const data = { values: around.map(featureOf) };
    const aroundIn = (mark: object) =>
      around.length > 0 ? [{ data, mark: { ...shape, ...mark, clip: true } }] : [];
    const range = isSigned ? signedColours(breaks, [low, high]) : classColours(breaks, theme);
    const [kind, scale] =
      breaks.length === 0
        ? ['ordinal', { domain: [low], range }]
        : ['quantitative', { type: 'threshold', domain: breaks, range }];
    const color = { field: 'v', type: kind, scale, legend: { title, orient: 'right', ...limits } };
    const quietScale = { domain: [NO_VALUE], range: [QUIET_COLOUR] };
    const legend =
      known.length < shapes.length ? { title: null, orient: 'right', symbolType: 'square' } : null;
    const noValue = { datum: NO_VALUE, type: 'nominal', scale: quietScale, legend };
    return {
      layer: [
        ...aroundIn({ color: grid }),
        { transform: [{ filter: '!isValid(datum.v)' }], mark: shape, encoding: { color: noValue } },
        { transform: [{ filter: 'isValid(datum.v)' }], mark: shape, encoding: { color } },
        ...aroundIn({ filled: false, stroke: quiet }),
      ],
      data: { values },
      projection: { type, ...(around.length > 0 && extent) },
      resolve: { scale: { color: 'independent' } },
    };
  });
}
