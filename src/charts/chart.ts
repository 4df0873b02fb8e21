import * as v from 'valibot';
import { checkOptions, fieldsOf, type OptionKeys } from '../model/schema/check.js';
import { DATE, FINITE, integer, oneOf } from '../model/schema/schemas.js';
import { renderSvg, type VegaLiteSpec } from './draw.js';
import type { PeriodValues } from './lines.js';
import { configOf, type Theme, TITLE_SIZE } from './theme.js';

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

const PIXELS = integer({ min: 100, max: 10_000 });

/** The keys of `ChartTexts`. */
export const TEXT_KEYS: OptionKeys<ChartTexts> = {
  title: v.string(),
  subtitle: v.string(),
  source: v.string(),
  width: PIXELS,
  height: PIXELS,
};

/** A line, a band or a height that you draw, with a text. Dates are `YYYY-MM-DD`; a line has no last one. */
export interface Annotation {
  /** The date of a line, or the first one of a band. */
  readonly from?: string | null | undefined;
  /** The last date of a band. */
  readonly to?: string | null | undefined;
  /** A height, in the unit of the first axis. It needs no dates. */
  readonly value?: number | null | undefined;
  /** The text beside it. */
  readonly text?: string | undefined;
}

/** Texts and size of a chart of series. */
export interface SeriesPlotOptions extends ChartTexts {
  /** The title. */
  title: string;
  /** Name of the measured quantity. */
  measure: string;
  /** Abbreviation of the unit of the values. */
  unit: string;
  /** Label of the series to highlight; the others are grey. */
  highlight?: string | undefined;
  /** Points above which lines are thinned, each pixel column keeping its extremes; 20,000 by default. */
  max_points?: number | undefined;
  /** Several units have a panel each, which is the default, or up to three axes of one panel. */
  axes?: 'panels' | 'one' | undefined;
  /** Keys of series in the order of their colours, with the frequency 0, so that a series has one colour in several charts. */
  places?: readonly string[] | undefined;
  /** A vertical axis from zero, or a logarithmic one; by default from zero where amounts come near it. */
  scale?: 'zero' | 'log' | undefined;
  /** Days of a centred mean, which is drawn over the faint values. */
  smooth?: number | undefined;
  /** Your lines, bands and texts. */
  annotations?: readonly Annotation[] | undefined;
}

/** The keys of the options that charts of series share. */
export const SERIES_PLOT_KEYS: OptionKeys<SeriesPlotOptions> = {
  ...TEXT_KEYS,
  measure: v.string(),
  unit: v.string(),
  highlight: v.string(),
  max_points: integer({ min: 1 }),
  axes: oneOf(['panels', 'one']),
  places: v.array(v.string()),
  scale: oneOf(['zero', 'log']),
  smooth: integer({ min: 2 }),
  annotations: v.array(
    fieldsOf({
      from: v.nullable(DATE),
      to: v.nullable(DATE),
      value: v.nullable(FINITE),
      text: v.string(),
    }),
  ),
};

/** Width and height of a chart in pixels. */
export function sizeOf({ width = 860, height = 520 }: ChartTexts): { width: number; height: number } {
  return { width, height };
}

/** Widths of letters in shares of the size of the text, rather too wide: no browser measures them in Node. */
const LETTERS: readonly (readonly [pattern: RegExp, width: number])[] = [
  [/[ijlI.,:;'|!()[\]ft r·-]/, 0.4],
  [/[mwMW@%—…]/, 0.95],
  [/[\u2e80-\uffff]/, 1],
  [/[A-Z]/, 0.7],
];
const LETTER = 0.64;

/** Pixels of a text of a size. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const letter of text) width += LETTERS.find(([pattern]) => pattern.test(letter))?.[1] ?? LETTER;
  return width * size;
}

/** Returns the words of a text in lines that fit; the last line takes the rest. */
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
/** The width that Vega reserves for a letter where no browser measures, in shares of the size of the text. */
const RESERVED = 0.8;

/** Returns a text in lines within a width: a longer line would leave the panel no room. */
function linesWithin(width: number, text: string, size = CAPTION_SIZE): string[] {
  return wrapWords(text, ({ length }) => length * RESERVED * size <= width - 80);
}

/** Returns a title with its subtitle, in lines within a width. */
function titleOf(title: string, subtitle: string, width: number): object {
  const text = lineOrLines(linesWithin(width, title, TITLE_SIZE));
  return subtitle === '' ? { text } : { text, subtitle: lineOrLines(linesWithin(width, subtitle)) };
}

function lineOrLines(lines: string[]): string | string[] {
  return lines.length === 1 ? lines[0]! : lines;
}

/** Returns the source below a panel, where no axis has it. */
export function sourceLayer(lines: readonly string[], y: number | { expr: string }): object[] {
  const mark = { type: 'text', style: 'caption', x: 0, y, text: lines, clip: false };
  return lines.length === 0 ? [] : [{ data: { values: [{}] }, mark }];
}

/** How a chart is drawn. */
export interface DrawOptions {
  /** Light, which is the default, or dark. */
  theme?: Theme | undefined;
}

const DRAW_KEYS: OptionKeys<DrawOptions> = { theme: oneOf(['light', 'dark']) };

const SCHEMA = 'https://vega.github.io/schema/vega-lite/v5.json';

/** A panel over time. Pixels are counted from the upper left corner of the first panel. */
export interface FigurePanel {
  /** Pixels to its left edge. */
  readonly left: number;
  /** Pixels to its upper edge. */
  readonly top: number;
  /** Pixels; null where the only panel is as large as the axes leave room. */
  readonly width: number | null;
  /** Pixels; null where the width is. */
  readonly height: number | null;
  /** The numbers of its series among the labels. */
  readonly series: readonly number[];
  /** Whether each panel is of one series, whose name is above it. */
  readonly isOfOne: boolean;
  /** The scale of its values in the drawn chart; null where it has several. */
  readonly scale: string | null;
}

/** The texts of a chart, for a page that writes them itself. */
export interface ChartFigure {
  /** The title. */
  readonly title: string;
  /** The line below the title; empty without one. */
  readonly subtitle: string;
  /** The sources of the values, with their licences; empty where none is known. */
  readonly source: string;
  /** A description of the chart, for readers who cannot see it. */
  readonly description: string;
  /** Labels of the series, in the order of their colours. */
  readonly labels: readonly string[];
  /** The colour of each series. */
  readonly colours: readonly string[];
  /** The lines that are drawn, in the order of the labels, for a cursor. */
  readonly lines: readonly PeriodValues[];
  /** Whether the dates of the lines are of no year, but of a calendar that all years share. */
  readonly isOneYear: boolean;
  /** Where series are drawn over time, in the order of reading. */
  readonly panels: readonly FigurePanel[];
  /** The first and the last moment of the axis of time, UTC milliseconds; null without such an axis. */
  readonly times: readonly [number, number] | null;
}

/** The form of a specification. */
export interface ChartForm {
  /** The colours. */
  readonly theme: Theme;
  /** Whether the specification has the texts of `ChartFigure`. */
  readonly hasTexts: boolean;
  /** The source in lines; none where the specification does not have it. */
  readonly source: readonly string[];
}

/** Texts that a chart cannot do without. */
export interface DescribedTexts extends ChartTexts {
  /** The title. */
  readonly title: string;
  /** A description of the chart, for readers who cannot see it. */
  readonly description: string;
}

/** A chart. Notebooks show it as it is; `toSvg` draws it for files. */
export class Chart {
  /** The texts of the chart. */
  readonly figure: ChartFigure;
  readonly #specIn: (theme: Theme, hasTexts: boolean) => VegaLiteSpec;
  #spec: VegaLiteSpec | undefined;

  /**
   * @param figure the fields of the chart for the page, without its texts
   * @param parts the properties of the specification, without its texts and the colours of a theme
   */
  constructor(texts: DescribedTexts, figure: Partial<ChartFigure>, parts: (form: ChartForm) => object) {
    const { title, subtitle = '', description } = texts;
    const { width } = sizeOf(texts);
    const source = texts.source ? `Source: ${texts.source}` : '';
    const nothing = { labels: [], colours: [], lines: [], isOneYear: false, panels: [], times: null };
    this.figure = { title, subtitle, source, description, ...nothing, ...figure };
    this.#specIn = (theme, hasTexts) => ({
      $schema: SCHEMA,
      description,
      padding: 14,
      ...(hasTexts && { title: titleOf(title, subtitle, width) }),
      ...parts({ theme, hasTexts, source: hasTexts && source ? linesWithin(width, source) : [] }),
    });
  }

  /** The specification, with all data that is drawn. */
  get spec(): VegaLiteSpec {
    this.#spec ??= this.#specIn('light', true);
    return this.#spec;
  }

  /** Returns the chart as an SVG document without scripts, with an opaque background. */
  async toSvg(options: DrawOptions = {}): Promise<string> {
    checkOptions(options, DRAW_KEYS, 'toSvg');
    return renderSvg(this.themed(options.theme), this.figure);
  }

  /** Returns the chart as an HTML figure without scripts, for `renderPage` or your own page. */
  async toHtml(options: DrawOptions = {}): Promise<string> {
    checkOptions(options, DRAW_KEYS, 'toHtml');
    return `<figure>${await renderSvg(this.themed(options.theme), this.figure)}</figure>`;
  }

  /** The display in a notebook of Deno's kernel: interactive in JupyterLab, SVG elsewhere. */
  async [Symbol.for('Jupyter.display')](): Promise<Record<string, unknown>> {
    return {
      'application/vnd.vegalite.v5+json': this.themed('light'),
      'image/svg+xml': await this.toSvg(),
      'text/plain': this.spec.description,
    };
  }

  /** The text that `console.log` shows in Node. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Chart: ${this.spec.description}`;
  }

  /** Returns the specification with the colours of a theme, for your own Vega-Lite. */
  themed(theme: Theme = 'light'): VegaLiteSpec {
    const spec = theme === 'light' ? this.spec : this.#specIn(theme, true);
    return { ...spec, config: configOf(theme) };
  }

  /**
   * Returns the same without title, source and a legend of series, for a page that writes them itself from `figure`.
   */
  withoutTexts(theme: Theme = 'light'): VegaLiteSpec {
    return { ...this.#specIn(theme, false), config: configOf(theme) };
  }
}

/** Draws a chart of one panel. The layers are drawn over one another. */
export function singlePanel(
  texts: DescribedTexts,
  parts: (form: ChartForm) => {
    readonly layer: readonly object[];
    /** The height of upright labels below the panel. */
    readonly labelPixels?: number | undefined;
    readonly [property: string]: unknown;
  },
): Chart {
  return new Chart(texts, {}, (form) => {
    const { layer, labelPixels = 0, ...others } = parts(form);
    const source = sourceLayer(form.source, { expr: `height + ${44 + labelPixels}` });
    return { ...FITTED, ...sizeOf(texts), layer: [...layer, ...source], ...others };
  });
}

/** Everything of a chart is within its size. */
export const FITTED = { autosize: { type: 'fit', contains: 'padding' } } as const;
