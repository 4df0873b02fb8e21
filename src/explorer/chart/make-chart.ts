import type { LongFrame } from '../../browser.js';
import { type Chart, plotFrame, plotYears } from '../../charts.js';
import type { ViewState } from '../state/view-state.js';

/** What a chart is made of. */
export interface ChartInput {
  /** The frame as it is shown. */
  readonly frame: LongFrame;
  readonly scale: ViewState['scale'];
  readonly highlight: string | null;
  readonly width: number;
  readonly height: number;
}

/** The chart of a frame, with the texts that the choices of the page add. */
export function makeChart({ frame, scale, highlight, width, height }: ChartInput): Chart {
  const size = { width, height, highlight: highlight ?? undefined };
  if (scale === 'index')
    return plotFrame(frame, { ...size, measure: 'Index, first value = 100', unit: 'index' });
  if (scale === 'yoy') return plotFrame(frame, { ...size, measure: 'Change on a year before', unit: '%' });
  if (scale === 'season') return plotYears(frame, { width, height });
  return plotFrame(frame, size);
}
