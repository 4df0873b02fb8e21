import type { Climatology } from '../agronomy/degree-days/climatology.js';
import { ArgumentError } from '../model/errors.js';
import type { ChartBand, ChartLine } from './chart-spec.js';
import { seasonPositions } from './season-axis.js';

const BAND_COLOURS = ['#dbe9f4', '#b3d0e6', '#8ab6d8'] as const;
const MEDIAN_COLOUR = '#00507d';

/**
 * The bands between the percentiles of a climatology, widest first, and its median as a line.
 * @param start_date the first day of the seasons; none when they have no dates
 * @throws ArgumentError when the climatology begins on another day of the year
 */
export function climatologyShapes(
  { days, percentiles, curves }: Climatology,
  start_date: string | undefined,
): { bands: ChartBand[]; lines: ChartLine[] } {
  if (start_date?.slice(5) !== days[0]) {
    throw new ArgumentError(
      'climatology',
      `the climatology begins on ${days[0]}, the seasons on ${start_date?.slice(5) ?? 'no date'}; compute both from the same first day of the year`,
    );
  }
  const x = seasonPositions(`2001-${days[0]}`, days.length);
  const bands: ChartBand[] = [];
  for (let i = 0; i < Math.floor(percentiles.length / 2); i++) {
    const j = percentiles.length - 1 - i;
    const label = `${percentiles[i]}th to ${percentiles[j]}th percentile`;
    bands.push({ x, low: curves[i]!, high: curves[j]!, label, colour: BAND_COLOURS[Math.min(i, 2)]! });
  }
  const median = curves[percentiles.indexOf(50)];
  if (median === undefined) return { bands, lines: [] };
  return {
    bands,
    lines: [{ x, y: median, label: 'Median', colour: MEDIAN_COLOUR, width: 1.5, dash: '6 4' }],
  };
}
