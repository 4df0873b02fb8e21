import type { Chart } from '../../charts/chart.js';
import { plotFrame } from '../../charts/frame.js';
import { plotYears } from '../../charts/years.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import type { ViewState } from '../state/view-state.js';

/** What a chart is made of. */
export interface ChartInput {
  /** The frame as it is shown. */
  readonly frame: LongFrame;
  readonly scale: ViewState['scale'];
  readonly highlight: string | null;
  readonly width: number;
  readonly height: number;
  /** Points above which the chart is thinned; undefined for the usual number. */
  readonly maxPoints?: number | undefined;
}

/** The chart of a frame, with the texts that the choices of the page add. */
export function makeChart({ frame, scale, highlight, width, height, maxPoints }: ChartInput): Chart {
  const size = { width, height, highlight: highlight ?? undefined, maxPoints };
  if (scale === 'index')
    return plotFrame(frame, { ...size, measure: 'Index, first value = 100', unit: 'index' });
  if (scale === 'yoy') return plotFrame(frame, { ...size, measure: 'Change on a year before', unit: '%' });
  if (scale === 'season') return plotYears(frame, { width, height, maxPoints });
  return plotFrame(frame, size);
}
