import type { View } from 'vega';
import { allowedMarkup, escapeMarkup } from '../frame/display/escape-text.js';

/** A Vega-Lite specification, version 5 or later. It is plain data that can be edited and serialised as JSON. */
export interface VegaLiteSpec {
  /** The URL of the Vega-Lite schema, which includes the version. */
  readonly $schema: string;
  /** A description of the chart for readers who cannot see it. */
  readonly description: string;
  /** All other properties of the specification. */
  readonly [property: string]: unknown;
}

/**
 * Renders a specification in Node or in a browser. Vega is loaded on the first call. Network access is blocked, because
 * a specification contains all of its data. Vega modifies the data objects that it receives, so pass a copy if the data
 * are used elsewhere.
 * @param element the element to draw in; without one, the view can only be exported
 */
export async function drawSpec(spec: VegaLiteSpec, element?: HTMLElement): Promise<View> {
  const [{ compile }, vega, { expressionInterpreter: expr }] = await Promise.all([
    import('vega-lite'),
    import('vega'),
    import('vega-interpreter'),
  ]);
  // Only errors are logged, because warnings concern properties that some versions of Vega-Lite do not support.
  const { spec: compiled } = compile(spec as unknown as Parameters<typeof compile>[0], {
    logger: vega.logger(vega.Error),
  });
  // Expressions are interpreted, because a page's content security policy may forbid compiling them.
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
  throw new Error(`a chart tried to load ${uri}; include all of its data in the specification instead`);
}

/** Renders a specification as an SVG document with a title and a description for screen readers. */
export async function renderSvg(
  spec: VegaLiteSpec,
  { title, description }: { readonly title: string; readonly description: string },
): Promise<string> {
  const view = await drawSpec(structuredClone(spec));
  try {
    const head = `<title>${escapeMarkup(title)}</title><desc>${escapeMarkup(description)}</desc>`;
    // Vega escapes angle brackets but does not remove characters that XML forbids.
    const svg = allowedMarkup(await view.toSVG());
    return svg.replace(/^<svg ([^>]*)>/, (_, attributes) => `<svg ${attributes} role="img">${head}`);
  } finally {
    view.finalize();
  }
}
