import { oneOf } from '../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../model/arguments/option-keys.js';
import { renderSvg, type VegaLiteSpec } from './draw.js';
import type { PeriodValues } from './lines.js';
import { type ChartTexts, sizeOf, sourceLayer, sourceLines, titleOf } from './texts.js';
import { configOf, type Theme } from './theme.js';

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
    const nothing = { labels: [], colours: [], lines: [], panels: [], times: null };
    this.figure = { title, subtitle, source, description, ...nothing, ...figure };
    this.#specIn = (theme, hasTexts) => ({
      $schema: SCHEMA,
      description,
      padding: 14,
      ...(hasTexts && { title: titleOf(title, subtitle, width) }),
      ...parts({ theme, hasTexts, source: hasTexts ? sourceLines(source, width) : [] }),
    });
  }

  /** The specification, with all data that is drawn. */
  get spec(): VegaLiteSpec {
    this.#spec ??= this.#specIn('light', true);
    return this.#spec;
  }

  /** The chart as an SVG document without scripts, with an opaque background. */
  async toSvg(options: DrawOptions = {}): Promise<string> {
    checkOptions(options, DRAW_KEYS, 'toSvg');
    return renderSvg(this.themed(options.theme), this.figure);
  }

  /** The chart as an HTML figure without scripts, for `renderPage` or your own page. */
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

  /** The specification with the colours of a theme, for your own Vega-Lite. */
  themed(theme: Theme = 'light'): VegaLiteSpec {
    const spec = theme === 'light' ? this.spec : this.#specIn(theme, true);
    return { ...spec, config: configOf(theme) };
  }

  /** The same without title, source and a legend of series, for a page that writes them itself from `figure`. */
  withoutTexts(theme: Theme = 'light'): VegaLiteSpec {
    return { ...this.#specIn(theme, false), config: configOf(theme) };
  }
}

/** A chart of one panel. The layers are drawn over one another. */
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
