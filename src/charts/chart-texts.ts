import { checkString, whole } from '../model/arguments/checks.js';
import type { OptionKeys } from '../model/arguments/option-keys.js';

/** Texts and size of a chart. */
export interface ChartTexts {
  /** The title. */
  title?: string | undefined;
  /** A line below the title. */
  subtitle?: string | undefined;
  /** Sources of the values, below the chart. */
  source?: string | undefined;
  /** Width in pixels, everything included; 860 by default. */
  width?: number | undefined;
  /** Height in pixels, everything included; 520 by default. */
  height?: number | undefined;
}

const PIXELS = whole({ min: 100, max: 10_000 });

/** The keys of `ChartTexts`. */
export const TEXT_KEYS: OptionKeys<ChartTexts> = {
  title: checkString,
  subtitle: checkString,
  source: checkString,
  width: PIXELS,
  height: PIXELS,
};

/** Width and height of a chart in pixels. */
export function sizeOf({ width = 860, height = 520 }: ChartTexts): { width: number; height: number } {
  return { width, height };
}

/** The frame of a chart of one panel: its size, title, subtitle and description. The parts are drawn over one another. */
export function singlePanel(
  texts: ChartTexts & { title: string; description: string },
  layers: readonly object[],
): { description: string } & Record<string, unknown> {
  const { title, subtitle, source, description } = texts;
  return {
    description,
    ...sizeOf(texts),
    autosize: { type: 'fit', contains: 'padding' },
    padding: 14,
    title: titleOf(title, subtitle),
    layer: [...layers, ...(source === undefined ? [] : [captionLayer(source)])],
  };
}

/** A title with a line below it. */
export function titleOf(title: string, subtitle: string | undefined): object {
  return subtitle === undefined || subtitle === '' ? { text: title } : { text: title, subtitle };
}

/** A text below the panel. */
function captionLayer(text: string): object {
  return {
    data: { values: [{}] },
    mark: { type: 'text', style: 'caption', x: 0, y: { expr: 'height + 44' }, text: text, clip: false },
  };
}
