import { checkThat } from '../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../model/arguments/option-keys.js';
import { renderSvg } from './render-svg.js';
import { THEMES, type Theme } from './theme.js';
import type { VegaLiteSpec } from './vega-lite-spec.js';

/** How a chart is drawn. */
export interface DrawOptions {
  /** Light, which is the default, or dark. */
  theme?: Theme | undefined;
}

const DRAW_KEYS: OptionKeys<DrawOptions> = {
  theme: checkThat((value) => value === 'light' || value === 'dark', '"light" or "dark"'),
};

const SCHEMA = 'https://vega.github.io/schema/vega-lite/v5.json';

/** A chart. Notebooks show it as it is; `toSvg` draws it for files. */
export class Chart {
  /** The specification, with all data that is drawn. */
  readonly spec: VegaLiteSpec;

  /** @param parts what the specification has beside its schema and the theme */
  constructor(parts: Omit<VegaLiteSpec, '$schema'>) {
    this.spec = { $schema: SCHEMA, ...parts } as VegaLiteSpec;
  }

  /** The chart as an SVG document without scripts, with an opaque background. */
  async toSvg(options: DrawOptions = {}): Promise<string> {
    checkOptions(options, DRAW_KEYS, 'toSvg');
    return renderSvg(this.themed(options.theme));
  }

  /** The chart as an HTML figure without scripts, for `renderPage` or a page of one's own. */
  async toHtml(options: DrawOptions = {}): Promise<string> {
    checkOptions(options, DRAW_KEYS, 'toHtml');
    return `<figure>${await renderSvg(this.themed(options.theme))}</figure>`;
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
    const { config = {}, ...spec } = this.spec as VegaLiteSpec & { config?: object };
    return { ...spec, config: { ...THEMES[theme], ...config } } as VegaLiteSpec;
  }
}
