import { escapeMarkup } from '../frame/display/escape-text.js';
import type { VegaLiteSpec } from './vega-lite-spec.js';

/**
 * Draws a specification. Vega is loaded when the first chart is drawn. Specifications hold their data, so that nothing is
 * ever loaded for them.
 */
export async function renderSvg(spec: VegaLiteSpec): Promise<string> {
  const [{ compile }, vega, { expressionInterpreter: expr }] = await Promise.all([
    import('vega-lite'),
    import('vega'),
    import('vega-interpreter'),
  ]);
  // Vega marks the objects of the data as its own.
  const copy = structuredClone(spec) as unknown as Parameters<typeof compile>[0];
  const { spec: compiled } = compile(copy, {
    logger: silent(vega),
  });
  // Expressions are interpreted, since a page may forbid that they are compiled.
  const runtime = vega.parse(compiled, undefined, { ast: true });
  const view = new vega.View(runtime, { renderer: 'none', loader: refuseLoading(vega), expr });
  try {
    return withDescription(await view.toSVG(), spec);
  } finally {
    view.finalize();
  }
}

type Vega = typeof import('vega');

/** Warnings concern properties that only some versions know. */
function silent({ logger, Error: ERRORS_ONLY }: Vega): ReturnType<Vega['logger']> {
  return logger(ERRORS_ONLY);
}

function refuseLoading({ loader }: Vega): ReturnType<Vega['loader']> {
  const refuse = async (uri: string): Promise<never> => {
    throw new Error(`a chart tried to load ${uri}; its data must be in the specification`);
  };
  return { ...loader(), load: refuse, sanitize: refuse as never };
}

/** Vega's SVG with the title and the description that screen readers read. */
function withDescription(svg: string, { title, description }: VegaLiteSpec): string {
  const text = typeof title === 'object' && title !== null && 'text' in title ? String(title.text) : '';
  const head = `<title>${escapeMarkup(text)}</title><desc>${escapeMarkup(description)}</desc>`;
  return svg.replace(/^<svg ([^>]*)>/, `<svg $1 role="img">${head}`);
}
