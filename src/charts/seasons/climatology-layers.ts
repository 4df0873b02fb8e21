import type { Climatology } from '../../agronomy/degree-days/climatology.js';
import { ArgumentError } from '../../model/errors.js';
import { seasonDates } from './season-axis.js';

/** Colours of the bands, outermost first, which are seen on white and on black. */
const BAND_COLOURS = ['#8ab6d8', '#5c98c4', '#3d7fae'] as const;
const BAND_OPACITY = 0.35;

/** The colour of the median and of its label. */
export const MEDIAN_COLOUR = '#3d7fae';

/**
 * Layers of the bands between the percentiles of a climatology, widest first, and of its median.
 * @param start_date the first day of the seasons; null when they have no dates
 * @throws ArgumentError when the climatology begins on another day of the year
 */
export function climatologyLayers(
  { days, percentiles, curves }: Climatology,
  { start_date, x, y }: { start_date: string | null; x: object; y: object },
): { layers: object[]; bands: string[]; max: number; median: number | undefined } {
  if (start_date?.slice(5) !== days[0]) {
    throw new ArgumentError(
      'climatology',
      `the climatology begins on ${days[0]}, the seasons on ${start_date?.slice(5) ?? 'no date'}; compute both from the same first day of the year`,
    );
  }
  const dates = seasonDates(`2001-${days[0]}`, days.length);
  const bands = Array.from({ length: Math.floor(percentiles.length / 2) }, (_, i) => {
    const j = percentiles.length - 1 - i;
    const name = `${percentiles[i]}th to ${percentiles[j]}th percentile`;
    return { name, low: curves[i]!, high: curves[j]! };
  });
  const median = curves[percentiles.indexOf(50)];
  const names = bands.map(({ name }) => name);
  const fill = {
    field: 'band',
    type: 'nominal',
    scale: { domain: names, range: BAND_COLOURS.slice(0, bands.length) },
    legend: { orient: 'top', title: null, symbolType: 'square', symbolStrokeWidth: 0, labelLimit: 320 },
  };
  const area = {
    data: {
      values: bands.flatMap(({ name, low, high }) =>
        Array.from(dates, (t, day) => ({ t, v: finite(low[day]!), high: finite(high[day]!), band: name })),
      ),
    },
    mark: { type: 'area', opacity: BAND_OPACITY },
    encoding: { x, y, y2: { field: 'high' }, fill },
  };
  const line = median && {
    data: { values: Array.from(dates, (t, day) => ({ t, v: finite(median[day]!) })) },
    mark: { type: 'line', strokeDash: [6, 4], strokeWidth: 1.5, color: MEDIAN_COLOUR },
    encoding: { x, y },
  };
  const curvesDrawn = [...bands.map(({ high }) => high), ...(median ? [median] : [])];
  return {
    layers: line === undefined ? [area] : [area, line],
    bands: names,
    max: Math.max(0, ...curvesDrawn.map(maxOf)),
    median: median?.at(-1),
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function maxOf(values: Float64Array): number {
  return values.reduce((max, value) => (value > max ? value : max), 0);
}
