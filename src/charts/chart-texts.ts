import { checkString, whole } from '../model/arguments/checks.js';
import type { OptionKeys } from '../model/arguments/option-keys.js';
import { Chart, type ChartFigure, type ChartForm } from './chart.js';

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

/** What is drawn in the only panel of a chart: layers, with their data and scales. */
export interface PanelParts {
  readonly layer: readonly object[];
  readonly [property: string]: unknown;
}

/** A chart of one panel. The layers are drawn over one another. */
export function singlePanel(
  texts: ChartTexts & { title: string; description: string },
  parts: (form: ChartForm) => PanelParts,
  named: Partial<ChartFigure> = {},
): Chart {
  const { title, subtitle = '', source = '', description } = texts;
  const figure = { title, subtitle, source, description, labels: [], panels: null, bands: [], times: null };
  return new Chart({ ...figure, ...named }, (form) => {
    const { layer, ...others } = parts(form);
    const caption = form.texts && source !== '' ? [captionLayer(source)] : [];
    return {
      description,
      ...sizeOf(texts),
      autosize: { type: 'fit', contains: 'padding' },
      padding: 14,
      ...(form.texts && { title: titleOf(title, subtitle) }),
      layer: [...layer, ...caption],
      ...others,
    };
  });
}

/** A title with a line below it. */
export function titleOf(title: string, subtitle: string): object {
  return subtitle === '' ? { text: title } : { text: title, subtitle };
}

/** A text below the panel. */
function captionLayer(text: string): object {
  return {
    data: { values: [{}] },
    mark: { type: 'text', style: 'caption', x: 0, y: { expr: 'height + 44' }, text, clip: false },
  };
}
