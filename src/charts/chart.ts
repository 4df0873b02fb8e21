import { checkString, checkThat, whole } from '../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../model/arguments/option-keys.js';
import { renderSvg, type VegaLiteSpec } from './draw.js';
import { THEMES, type Theme } from './theme.js';

/** How a chart is drawn. */
export interface DrawOptions {
  /** Light, which is the default, or dark. */
  theme?: Theme | undefined;
}

const DRAW_KEYS: OptionKeys<DrawOptions> = {
  theme: checkThat((value) => value === 'light' || value === 'dark', '"light" or "dark"'),
};

const SCHEMA = 'https://vega.github.io/schema/vega-lite/v5.json';

/** A drawn line, a position for each period. */
export interface DrawnFigureLine {
  /** The first moment of each period, UTC milliseconds. */
  readonly start: Float64Array;
  /** The last moment of each period, UTC milliseconds. */
  readonly end: Float64Array;
  /** The value of each period; NaN breaks the line. */
  readonly value: Float64Array;
  /** The abbreviation of the unit of all values. */
  readonly unit: string;
}

/** The texts of a chart, for a page that writes them itself. */
export interface ChartFigure {
  /** The title. */
  readonly title: string;
  /** The line below the title; empty without one. */
  readonly subtitle: string;
  /** The sources of the values, with their licences; empty where none is known. */
  readonly source: string;
  /** What the chart shows, for readers who cannot see it. */
  readonly description: string;
  /** Labels of the series, in the order of their colours. */
  readonly labels: readonly string[];
  /** The colour of each series. */
  readonly colours: readonly string[];
  /** The numbers of the series in each panel, where panels are one below another. */
  readonly groups: readonly (readonly number[])[];
  /** The lines that are drawn, in the order of the labels, for a cursor. */
  readonly lines: readonly DrawnFigureLine[];
  /** The heading of each panel, one a series; null where panels are of several series. */
  readonly panels: readonly string[] | null;
  /** Names of the bands behind the series. */
  readonly bands: readonly string[];
  /** The first and the last moment of the axis of time, UTC milliseconds; null without such an axis. */
  readonly times: readonly [number, number] | null;
}

/** The form of a specification. */
export interface ChartForm {
  /** The colours. */
  readonly theme: Theme;
  /** False leaves out the texts that `ChartFigure` has. */
  readonly texts: boolean;
}

/** A chart. Notebooks show it as it is; `toSvg` draws it for files. */
export class Chart {
  /** The specification, with all data that is drawn. */
  readonly spec: VegaLiteSpec;
  /** The texts of the chart. */
  readonly figure: ChartFigure;
  readonly #parts: (form: ChartForm) => object;

  /** @param parts the properties of the specification beside its schema and the colours of a theme */
  constructor(figure: ChartFigure, parts: (form: ChartForm) => object) {
    this.figure = figure;
    this.#parts = parts;
    this.spec = this.#specIn({ theme: 'light', texts: true });
  }

  #specIn(form: ChartForm): VegaLiteSpec {
    return { $schema: SCHEMA, ...this.#parts(form) } as VegaLiteSpec;
  }

  /** The chart as an SVG document without scripts, with an opaque background. */
  async toSvg(options: DrawOptions = {}): Promise<string> {
    checkOptions(options, DRAW_KEYS, 'toSvg');
    return renderSvg(this.themed(options.theme), this.figure);
  }

  /** The chart as an HTML figure without scripts, for `renderPage` or a page of one's own. */
  async toHtml(options: DrawOptions = {}): Promise<string> {
    checkOptions(options, DRAW_KEYS, 'toHtml');
    return `<figure>${await renderSvg(this.themed(options.theme), this.figure)}</figure>`;
  }

  /** What a notebook of Deno's kernel shows: interactive in JupyterLab, SVG elsewhere. */
  async [Symbol.for('Jupyter.display')](): Promise<Record<string, unknown>> {
    return {
      'application/vnd.vegalite.v5+json': this.themed('light'),
      'image/svg+xml': await this.toSvg(),
      'text/plain': this.spec.description,
    };
  }

  /** What `console.log` shows in Node. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Chart: ${this.spec.description}`;
  }

  /** The specification with the colours of a theme, for a Vega-Lite of one's own. */
  themed(theme: Theme = 'light'): VegaLiteSpec {
    const spec = theme === 'light' ? this.spec : this.#specIn({ theme, texts: true });
    return { ...spec, config: THEMES[theme] };
  }

  /** The same without title, source and a legend of series, for a page that writes them itself from `figure`. */
  withoutTexts(theme: Theme = 'light'): VegaLiteSpec {
    return { ...this.#specIn({ theme, texts: false }), config: THEMES[theme] };
  }
}

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
interface PanelParts {
  readonly layer: readonly object[];
  /** The height of upright labels below the panel. */
  readonly labelPixels?: number | undefined;
  readonly [property: string]: unknown;
}

/** A chart of one panel. The layers are drawn over one another. */
export function singlePanel(
  texts: ChartTexts & { title: string; description: string },
  parts: (form: ChartForm) => PanelParts,
  named: Partial<ChartFigure> = {},
): Chart {
  const { title, subtitle = '', source = '', description } = texts;
  const figure = {
    title,
    subtitle,
    source,
    description,
    labels: [],
    colours: [],
    lines: [],
    groups: [],
    panels: null,
    bands: [],
    times: null,
  };
  return new Chart({ ...figure, ...named }, (form) => {
    const { layer, labelPixels = 0, ...others } = parts(form);
    const { width } = sizeOf(texts);
    const caption =
      form.texts && source !== '' ? [captionLayer(captionLines(source, width), labelPixels)] : [];
    return {
      description,
      ...sizeOf(texts),
      autosize: { type: 'fit', contains: 'padding' },
      padding: 14,
      ...(form.texts && { title: titleOf(title, subtitle, width) }),
      layer: [...layer, ...caption],
      ...others,
    };
  });
}

/** A title with what is below it, in lines within a width. */
export function titleOf(title: string, subtitle: string, width = 860): object {
  if (subtitle === '') return { text: title };
  const lines = captionLines(subtitle, width);
  return { text: title, subtitle: lines.length === 1 ? subtitle : lines };
}

/** Pixels of a letter of a caption, as Vega guesses them where no browser measures. */
const CAPTION_LETTER = 8.8;

/** The words of a caption in lines within a width: a longer line would leave the panel no room. */
export function captionLines(text: string, width: number): string[] {
  const letters = Math.floor((width - 80) / CAPTION_LETTER);
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > letters) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** Lines of text below the panel. */
function captionLayer(text: readonly string[], labelPixels: number): object {
  return {
    data: { values: [{}] },
    mark: {
      type: 'text',
      style: 'caption',
      x: 0,
      y: { expr: `height + ${44 + labelPixels}` },
      text,
      clip: false,
    },
  };
}
