import { whole } from '../model/arguments/checks.js';
import type { Chart } from './chart-spec.js';
import { linearScale, niceTicks, type Scale } from './scales.js';

export const INK = '#1f2933';
export const MUTED_INK = '#52606d';
export const GRID = '#e4e7eb';
export const LABEL_SIZE = 12;

/** The width or the height of a chart. */
export const PIXELS = whole({ min: 1, max: 100_000 });

/** Positions in the chart, in pixels, and the scales from data to pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: Scale;
  readonly y: Scale;
  readonly yTicks: readonly number[];
}

export function computeLayout(chart: Chart): Layout {
  const width = chart.width ?? 860;
  const height = chart.height ?? 520;
  const longest = Math.max(0, ...chart.lines.map((line) => textWidth(line.label ?? '')));
  const top = 58 + (chart.subtitle === undefined ? 0 : 20) + (chart.bands?.length ? 24 : 0);
  const [left, right] = [72, width - 30 - longest];
  const bottom = height - (chart.source === undefined ? 54 : 76);
  const yTicks = niceTicks(...valueRange(chart), Math.max(2, Math.round((bottom - top) / 60)));
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    yTicks,
    x: linearScale(chart.xDomain, [left, right]),
    y: linearScale([yTicks[0]!, yTicks.at(-1)!], [bottom, top]),
  };
}

function valueRange({ lines, bands = [] }: Chart): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const values of [...lines.map((line) => line.y), ...bands.flatMap((band) => [band.low, band.high])]) {
    for (let i = 0; i < values.length; i++) {
      if (values[i]! < low) low = values[i]!;
      if (values[i]! > high) high = values[i]!;
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

/** Approximate width in pixels; fonts are not measured. */
export function textWidth(text: string, size = LABEL_SIZE): number {
  return text.length * size * 0.6;
}
