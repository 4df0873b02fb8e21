import type { Chart } from '../chart.js';
import { type ChartTexts, singlePanel } from '../chart-texts.js';
import { INKS, QUIET_COLOUR } from '../theme.js';
import { clockwise, type Polygon } from './clockwise.js';

/** A region to draw. */
interface Shape {
  readonly polygons: readonly Polygon[];
  /** Null where there is none. */
  readonly value: number | null;
}

/** Shapes in the colour of their values. */
export function shapeChart(
  shapes: readonly Shape[],
  texts: ChartTexts & { title: string; legend: string },
): Chart {
  const values = shapes.map(({ polygons, value }) => ({
    type: 'Feature',
    geometry: { type: 'MultiPolygon', coordinates: polygons.map(clockwise) },
    v: value,
  }));
  const known = shapes.flatMap(({ value }) => (value === null ? [] : [value]));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const legend = { title: texts.legend, orient: 'right', gradientLength: 200, titleLimit: 240 };
  const description = `${texts.title}. ${texts.subtitle ?? ''}. Values of ${known.length} regions from ${low} to ${high}.`;
  return singlePanel({ ...texts, description }, ({ theme }) => {
    const shape = { type: 'geoshape', stroke: INKS[theme].paper, strokeWidth: 0.5 };
    // The highest value stands out most: it is the darkest on light paper, and the brightest on dark paper.
    const scale = { scheme: 'viridis', reverse: theme === 'light', domain: [low, high] };
    const color = { field: 'v', type: 'quantitative', scale, legend };
    return {
      layer: [
        { transform: [{ filter: '!isValid(datum.v)' }], mark: { ...shape, color: QUIET_COLOUR } },
        { transform: [{ filter: 'isValid(datum.v)' }], mark: shape, encoding: { color } },
      ],
      data: { values },
      projection: projectionOf(shapes),
    };
  });
}

/** Equal areas for wide views; Mercator, which keeps the forms, for narrow ones. */
function projectionOf(shapes: readonly Shape[]): object {
  let [west, east, highest] = [180, -180, 0];
  for (const { polygons } of shapes)
    for (const [outer = []] of polygons)
      for (const [longitude, latitude] of outer) {
        west = Math.min(west, longitude!);
        east = Math.max(east, longitude!);
        highest = Math.max(highest, Math.abs(latitude!));
      }
  return east - west <= 70 && highest <= 72 ? { type: 'mercator' } : { type: 'equalEarth' };
}
