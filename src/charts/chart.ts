import * as v from 'valibot';
import { checkOptions, fieldsOf, type OptionsOf } from '../model/schema/check.js';
import { DATE, FINITE, integer, listOf, oneOf } from '../model/schema/schemas.js';
import { renderSvg, type VegaLiteSpec } from './draw.js';
import type { PeriodValues } from './lines.js';
import { configOf, type Theme, TITLE_SIZE } from './theme.js';

const PIXELS = integer({ min: 100, max: 10_000 });

export const TEXT_KEYS = {
  /** The title. */
  title: v.string(),
  /** A line below the title. */
  subtitle: v.string(),
  /** The sources of the values, shown below the chart. */
  source: v.string(),
  /** The total width in pixels; 860 by default. */
  width: PIXELS,
  /** The total height in pixels; 520 by default. */
  height: PIXELS,
};
/** The title, subtitle, source and size of a chart. */
export interface ChartTexts extends OptionsOf<typeof TEXT_KEYS> {}

const ANNOTATION = {
  /** The date of a vertical line, or the first date of a band. */
  from: v.nullable(DATE),
  /** The last date of a band. */
  to: v.nullable(DATE),
  /** The value at which to draw a horizontal line, in the unit of the first panel. */
  value: v.nullable(FINITE),
  /** The label of the line or band. */
  text: v.string(),
};
/**
 * A labelled line or band on a chart. Dates are `YYYY-MM-DD`. A vertical line has `from` but no `to`, a band has both,
 * and a horizontal line has a `value` instead of dates.
 */
export interface Annotation extends Readonly<OptionsOf<typeof ANNOTATION>> {}

export const SERIES_PLOT_KEYS = {
  ...TEXT_KEYS,
  /** The name of the quantity in non-series columns; by default, the column's own name. */
  measure: v.string(),
  /** The unit abbreviation of non-series columns. */
  unit: v.string(),
  /**
   * If the chart has more points than this (20,000 by default), its lines are thinned: only the first, last, lowest and
   * highest points in each pixel column are kept.
   */
  max_points: integer({ min: 1 }),
  /**
   * Series keys with the frequency set to 0, in the order in which they are assigned colours. Pass the same list to
   * several charts so that each series has the same colour in all of them.
   */
  places: listOf(v.string()),
  /**
   * The scale of the vertical axis: starting at zero, or logarithmic. By default, an axis for amounts starts at zero if
   * the lowest amount is close to zero.
   */
  scale: oneOf(['zero', 'log']),
  /** The window of a centred mean, in days. The mean is drawn over the faded original values. */
  smooth: integer({ min: 2 }),
  /** Additional labelled lines and bands. */
  annotations: listOf(fieldsOf<Annotation>(ANNOTATION)),
};
/** The chart's texts, size and style. Texts that are not set are taken from the frame. */
export interface FramePlotOptions extends OptionsOf<typeof SERIES_PLOT_KEYS> {}

export function sizeOf({ width = 860, height = 520 }: ChartTexts): { width: number; height: number } {
  return { width, height };
}

/** Letter widths as multiples of the font size. They are generous estimates, because Node cannot measure text. */
const LETTERS: readonly (readonly [pattern: RegExp, width: number])[] = [
  [/[ijlI.,:;'|!()[\]ft r·-]/, 0.4],
  [/[mwMW@%—…]/, 0.95],
  [/[\u2e80-\uffff]/, 1],
  [/[A-Z]/, 0.7],
];
const LETTER = 0.64;

/** Estimates the width of a string in pixels at the given font size. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const letter of text) width += LETTERS.find(([pattern]) => pattern.test(letter))?.[1] ?? LETTER;
  return width * size;
}

/** Wraps a string into at most `maxLines` lines. Only the last, which takes all remaining words, may be too long. */
export function wrapWords(
  text: string,
  fits: (line: string) => boolean,
  maxLines = Number.POSITIVE_INFINITY,
): string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (fits(longer) || lines.length >= maxLines) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const CAPTION_SIZE = 11;
/** The letter width that Vega assumes outside a browser, as a multiple of the font size. */
export const RESERVED = 0.8;

/** Wraps a string to fit the chart's width, because Vega would shrink the plot to make room for a longer line. */
function linesWithin(width: number, text: string, size = CAPTION_SIZE): string[] {
  return wrapWords(text, ({ length }) => length * RESERVED * size <= width - 80);
}

/** Returns a layer that shows the source as the title of an empty legend, which Vega puts below the axis labels. */
function sourceLayer(lines: readonly string[]): object {
  const texts = { title: lines, titleFontSize: CAPTION_SIZE, titleLimit: 0 };
  const legend = { orient: 'bottom', offset: 10, ...texts, values: [], aria: false };
  const shape = { datum: '', type: 'nominal', legend };
  return { data: { values: [{}] }, mark: { type: 'point', size: 0 }, encoding: { shape } };
}

const DRAW_KEYS = {
  /** The theme; `light` by default. */
  theme: oneOf(['light', 'dark']),
};
/** Options for rendering a chart. */
export interface DrawOptions extends OptionsOf<typeof DRAW_KEYS> {}

const SCHEMA = 'https://vega.github.io/schema/vega-lite/v5.json';

/** A panel of a time chart. */
export interface FigurePanel {
  /** The indexes of the panel's series in the figure's `labels`. */
  readonly series: readonly number[];
  /** Whether the panel shows a single series, whose name appears above the panel. */
  readonly isOfOne: boolean;
  /** The Vega name of the panel's vertical scale. */
  readonly scale: string;
}

/** The text and geometry of a chart, for a page that renders the title, subtitle and source itself. */
export interface ChartFigure {
  /** The title. */
  readonly title: string;
  /** The line below the title, or an empty string if there is none. */
  readonly subtitle: string;
  /** The sources of the values and their licences, or an empty string if no source is known. */
  readonly source: string;
  /** A description of the chart for readers who cannot see it. */
  readonly description: string;
  /** The labels of the series, in the order of their colours. */
  readonly labels: readonly string[];
  /** The colour of each series. */
  readonly colours: readonly string[];
  /** The values of the drawn lines, in the order of the labels. A page can show them at the cursor. */
  readonly lines: readonly PeriodValues[];
  /** Whether the dates of all years are mapped onto a single reference year. */
  readonly isOneYear: boolean;
  /** The panels of a chart over time, in reading order. */
  readonly panels: readonly FigurePanel[];
  /** The first and last moments of the time axis as UTC milliseconds, or null if there is no time axis. */
  readonly times: readonly [number, number] | null;
}

/** The theme of a chart's specification, and the texts that it includes. */
export interface ChartForm {
  /** The colour theme. */
  readonly theme: Theme;
  /** Whether the specification includes the title, subtitle and source. */
  readonly hasTexts: boolean;
  /** The layer that shows the source, or an empty array if the specification does not include the source. */
  readonly source: readonly object[];
}

/** Chart texts with a required title and description. */
export interface DescribedTexts extends ChartTexts {
  /** The title. */
  readonly title: string;
  /** A description of the chart for readers who cannot see it. */
  readonly description: string;
}

/** A chart. Notebooks display it directly; `toSvg` renders it as an SVG document. */
export class Chart {
  /** The texts and geometry of the chart. */
  readonly figure: ChartFigure;
  readonly #specIn: (theme: Theme, hasTexts: boolean) => VegaLiteSpec;
  #spec: VegaLiteSpec | undefined;

  /**
   * @param figure the chart's labels, colours, lines and panels
   * @param parts a function that returns the specification without its title, description, padding and theme
   */
  constructor(texts: DescribedTexts, figure: Partial<ChartFigure>, parts: (form: ChartForm) => object) {
    const { title, subtitle = '', description } = texts;
    const { width } = sizeOf(texts);
    const below = subtitle !== '' && { subtitle: linesWithin(width, subtitle) };
    const source = texts.source ? `Source: ${texts.source}` : '';
    const nothing = { labels: [], colours: [], lines: [], isOneYear: false, panels: [], times: null };
    this.figure = { title, subtitle, source, description, ...nothing, ...figure };
    this.#specIn = (theme, hasTexts) => ({
      $schema: SCHEMA,
      description,
      padding: 14,
      ...(hasTexts && { title: { text: linesWithin(width, title, TITLE_SIZE), ...below } }),
      ...parts({
        theme,
        hasTexts,
        source: hasTexts && source ? [sourceLayer(linesWithin(width, source))] : [],
      }),
    });
  }

  /** The Vega-Lite specification, including all drawn data. */
  get spec(): VegaLiteSpec {
    this.#spec ??= this.#specIn('light', true);
    return this.#spec;
  }

  /** Returns the chart as an SVG document without scripts and with an opaque background. */
  async toSvg(options: DrawOptions = {}): Promise<string> {
    checkOptions(options, DRAW_KEYS, 'toSvg');
    return renderSvg(this.themed(options.theme), this.figure);
  }

  /** Returns the chart as an HTML figure without scripts, for use in your own page. */
  async toHtml(options: DrawOptions = {}): Promise<string> {
    checkOptions(options, DRAW_KEYS, 'toHtml');
    return `<figure>${await renderSvg(this.themed(options.theme), this.figure)}</figure>`;
  }

  /** Returns the chart for notebooks with a Deno kernel: interactive in JupyterLab, and as SVG in other programs. */
  async [Symbol.for('Jupyter.display')](): Promise<Record<string, unknown>> {
    return {
      'application/vnd.vegalite.v5+json': this.themed('light'),
      'image/svg+xml': await this.toSvg(),
      'text/plain': this.spec.description,
    };
  }

  /** Returns the string that `console.log` shows in Node. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Chart: ${this.spec.description}`;
  }

  /** Returns the specification in the colours of a theme, for use with your own Vega-Lite runtime. */
  themed(theme: Theme = 'light'): VegaLiteSpec {
    const spec = theme === 'light' ? this.spec : this.#specIn(theme, true);
    return { ...spec, config: configOf(theme) };
  }

  /** Returns the specification without the title, subtitle and source, for a page that renders them from `figure`. */
  withoutTexts(theme: Theme = 'light'): VegaLiteSpec {
    return { ...this.#specIn(theme, false), config: configOf(theme) };
  }
}

/** Creates a chart with a single panel. Later layers are drawn over earlier ones. */
export function singlePanel(
  texts: DescribedTexts,
  parts: (form: ChartForm) => { layer: readonly object[]; [property: string]: unknown },
): Chart {
  return new Chart(texts, {}, (form) => {
    const { layer, ...others } = parts(form);
    return { ...FITTED, ...sizeOf(texts), layer: [...layer, ...form.source], ...others };
  });
}

/** Makes Vega fit the whole chart, including padding, into the given size. */
export const FITTED = { autosize: { type: 'fit', contains: 'padding' } } as const;
