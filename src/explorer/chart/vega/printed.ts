import { CanvasRenderer, type View } from 'vega';
import type { VegaLiteSpec } from '../../../charts/vega-lite-spec.js';
import { originOf } from '../plot-places.js';

/** Vega exports the renderer of its canvases; its types leave it out. */
declare module 'vega' {
  class CanvasRenderer {
    constructor(loader: ReturnType<View['loader']>);
    initialize(
      place: HTMLElement,
      width: number,
      height: number,
      origin: readonly [number, number],
      scale: number,
    ): this;
    background(colour: string): this;
    render(root: object): this;
    canvas(): HTMLCanvasElement;
  }
}

/** Pixels of a printed chart for each of its own, so that paper shows no steps. */
const SCALE = 3;

/** The colours of a chart, and those of the same things in another theme. */
export type Recolouring = ReadonlyMap<string, string>;

/** Which colour takes the place of which from one theme to another: what their configurations differ in. */
export function recolouring(from: VegaLiteSpec, to: VegaLiteSpec): Recolouring {
  const colours = new Map<string, string>();
  const compare = (one: unknown, other: unknown) => {
    if (typeof one === 'string' && typeof other === 'string' && one !== other) colours.set(one, other);
    if (typeof one !== 'object' || one === null) return;
    for (const [name, part] of Object.entries(one))
      compare(part, (other as Record<string, unknown> | null)?.[name]);
  };
  compare(configOf(from), configOf(to));
  return colours;
}

function configOf(spec: VegaLiteSpec): unknown {
  return (spec as { config?: unknown }).config;
}

/** A mark or an item of a drawn chart. */
interface Drawn {
  fill?: unknown;
  stroke?: unknown;
  readonly items?: readonly Drawn[] | undefined;
}

/**
 * A drawn chart in other colours, on a canvas of its own. It is there at once: browsers print what stands on the page when
 * `beforeprint` returns, and do not wait for a chart to be drawn anew.
 */
export function printedCanvas(view: View, colours: Recolouring): HTMLCanvasElement {
  const { root } = view.scenegraph() as unknown as { root: Drawn };
  // On paper the canvas of the screen may be narrower already than it was drawn.
  const { width = '', height = '' } = view.container()?.querySelector('canvas')?.style ?? {};
  const { left, top } = originOf(view);
  const background = String(view.background() ?? '#ffffff');
  const renderer = new CanvasRenderer(view.loader());
  recolour(root, colours);
  renderer
    .initialize(
      document.createElement('div'),
      Number.parseFloat(width),
      Number.parseFloat(height),
      [left, top],
      SCALE,
    )
    .background(colours.get(background) ?? background)
    .render(root);
  recolour(root, new Map([...colours].map(([from, to]) => [to, from])));
  const canvas = renderer.canvas();
  canvas.className = PRINTED;
  return canvas;
}

/** The class of what is printed in the place of a chart of the screen. */
const PRINTED = 'printed';

/**
 * Puts what is printed of charts beside them while the page is printed.
 * @param charts those of the page, by their places
 * @returns what is to be called after a chart was drawn anew
 */
export function followPrinting(
  charts: () => Iterable<readonly [place: HTMLElement, view: View, colours: Recolouring]>,
): () => void {
  const unprepare = () => {
    for (const canvas of document.querySelectorAll(`.plot > .${PRINTED}`)) canvas.remove();
  };
  const prepare = () => {
    unprepare();
    for (const [place, view, colours] of charts()) place.append(printedCanvas(view, colours));
  };
  addEventListener('beforeprint', prepare);
  addEventListener('afterprint', unprepare);
  const media = matchMedia('print');
  const follow = () => (media.matches ? prepare() : unprepare());
  media.addEventListener('change', follow);
  return () => {
    if (media.matches) prepare();
  };
}

function recolour(drawn: Drawn, colours: Recolouring): void {
  for (const key of ['fill', 'stroke'] as const) {
    const colour = colours.get(String(drawn[key]));
    if (colour !== undefined) drawn[key] = colour;
  }
  for (const inner of drawn.items ?? []) recolour(inner, colours);
}
