import { changeset, parse, type Spec, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import { POINTS } from './screen-spec.js';

/**
 * Draws a specification. Its expressions are interpreted: the page's policy allows no evaluation of texts.
 * @param place where it is drawn; nowhere, for files
 */
export async function drawSpec(spec: object, place?: HTMLElement): Promise<View> {
  // Vega marks the objects of the data as its own.
  const copy = structuredClone(spec) as unknown as TopLevelSpec;
  const { spec: compiled } = compile(copy, { logger: SILENT });
  const runtime = parse(compiled as Spec, undefined, { ast: true });
  const view = new View(runtime, {
    expr: expressionInterpreter,
    renderer: place === undefined ? 'none' : 'canvas',
    loader: REFUSING,
    ...(place === undefined ? {} : { container: place }),
  } as ConstructorParameters<typeof View>[1]);
  await view.runAsync();
  return view;
}

/** Draws other points in a chart that stays the same else, which takes a fraction of the time of a new one. */
export async function replacePoints(
  view: View,
  points: readonly object[],
  description: string,
): Promise<void> {
  const change = changeset()
    .remove(() => true)
    .insert([...points]);
  await view.description(description).change(POINTS, change).resize().runAsync();
}

/** Specifications hold their data: nothing is ever loaded for them. */
const refuse = async (): Promise<never> => {
  throw new Error('a chart tried to load data; its data must be in the specification');
};
const REFUSING = { load: refuse, sanitize: refuse, http: refuse, file: refuse } as never;

/** Warnings concern properties that only some versions know. */
const ignore = () => SILENT;
const SILENT = { level: ignore, error: ignore, warn: ignore, info: ignore, debug: ignore } as never;
