import type { View } from 'vega';
import { allowedMarkup, escapeMarkup } from '../frame/display/escape-text.js';

/** A Vega-Lite specification: plain data, which can be changed, written as JSON, and drawn by any Vega-Lite from 5 on. */
export interface VegaLiteSpec {
  /** The version of Vega-Lite. */
  readonly $schema: string;
  /** A description of the chart, for readers who cannot see it. */
  readonly description: string;
  /** All other properties of the specification. */
  readonly [property: string]: unknown;
}

/**
 * Draws a specification, in Node and on a page. Vega is loaded when the first chart is drawn. Specifications hold their data,
 * so that nothing is ever loaded for them. Vega marks the objects of the data as its own: give it a copy of data that others have.
 * @param element the element of a page; without one, the view is for files
 */
export async function drawSpec(spec: VegaLiteSpec, element?: HTMLElement): Promise<View> {
  const [{ compile }, vega, { expressionInterpreter: expr }] = await Promise.all([
    import('vega-lite'),
    import('vega'),
    import('vega-interpreter'),
  ]);
  // Warnings concern properties that only some versions know.
  const { spec: compiled } = compile(spec as unknown as Parameters<typeof compile>[0], {
    logger: vega.logger(vega.Error),
  });
  // Expressions are interpreted, since a page may forbid that they are compiled.
  const runtime = vega.parse(compiled, undefined, { ast: true });
  const view = new vega.View(runtime, {
    expr,
    renderer: element === undefined ? 'none' : 'canvas',
    loader: { ...vega.loader(), load: refuse, sanitize: refuse as never },
    ...(element && { container: element }),
  });
  return view.runAsync();
}

async function refuse(uri: string): Promise<never> {
  throw new Error(`a chart tried to load ${uri}; its data must be in the specification`);
}

/** Returns a specification as an SVG document, with the title and the description that screen readers read. */
export async function renderSvg(
  spec: VegaLiteSpec,
  { title, description }: { readonly title: string; readonly description: string },
): Promise<string> {
  const view = await drawSpec(structuredClone(spec));
  try {
    const head = `<title>${escapeMarkup(title)}</title><desc>${escapeMarkup(description)}</desc>`;
    // Vega escapes brackets, but not what XML forbids.
    const svg = allowedMarkup(await view.toSVG());
    return svg.replace(/^<svg ([^>]*)>/, (_, attributes) => `<svg ${attributes} role="img">${head}`);
  } finally {
    view.finalize();
  }
}
