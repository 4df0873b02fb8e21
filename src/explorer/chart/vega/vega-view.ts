import { changeset, parse, type Spec, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import { POINTS } from '../screen-spec.js';

/**
 * Draws a specification. Its expressions are interpreted: the page's policy allows no evaluation of texts.
 * @param place where it is drawn; nowhere, for files
 */
export async function drawSpec(spec: object, place?: HTMLElement): Promise<View> {
  // Vega marks the objects of the data as its own.
  const copy = structuredClone(spec) as unknown as TopLevelSpec;
  const { spec: compiled } = compile(copy, { logger: SILENT });
  const runtime = parse(withMovingDates(compiled as Spec), undefined, { ast: true });
  const view = new View(runtime, {
    expr: expressionInterpreter,
    renderer: place === undefined ? 'none' : 'canvas',
    loader: REFUSING,
    ...(place === undefined ? {} : { container: place }),
  } as ConstructorParameters<typeof View>[1]);
  await view.runAsync();
  return view;
}

/** The signal of the dates between which the axis of time is: the first and the last in UTC milliseconds, or null for all. */
const DATES = 'shownDates';

/**
 * A compiled specification whose axes of time can be moved without computing anything else anew: lines and points are then
 * cut at its edges, and of their points only the position is asked for again.
 */
function withMovingDates(spec: Spec): Spec {
  const moved = (part: Part): Part => ({
    ...part,
    ...(part.scales && { scales: part.scales.map(withDates) }),
    ...(part.marks && { marks: part.marks.map(moved) }),
    ...((part.type === 'line' || part.type === 'symbol') && {
      clip: { signal: `${DATES} !== null` },
      encode: positionsApart(part.encode ?? {}),
    }),
  });
  return { ...moved(spec as Part), signals: [...(spec.signals ?? []), { name: DATES, value: null }] } as Spec;
}

function withDates(scale: { readonly type?: string | undefined }): object {
  return scale.type === 'utc' ? { ...scale, domainRaw: { signal: DATES } } : scale;
}

/** What does not depend on scales of positions is computed when a point enters, and not again. */
function positionsApart({ enter, update, ...others }: Part['encode'] & object): object {
  const { x, y, ...once } = update ?? {};
  return { ...others, enter: { ...enter, ...once }, update: { ...(x && { x }), ...(y && { y }) } };
}

/** What of a compiled specification has axes of time and points. */
interface Part {
  readonly type?: string | undefined;
  readonly scales?: readonly { readonly type?: string | undefined }[] | undefined;
  readonly marks?: readonly Part[] | undefined;
  readonly encode?: Partial<Record<'enter' | 'update', Record<string, object>>> | undefined;
}

/** Moves the axes of time of a chart; null shows all dates. */
export async function moveDates(view: View, dates: readonly [number, number] | null): Promise<void> {
  await view.signal(DATES, dates).runAsync();
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
  await view.description(description).signal(DATES, null).change(POINTS, change).resize().runAsync();
}

/** Specifications hold their data: nothing is ever loaded for them. */
const refuse = async (): Promise<never> => {
  throw new Error('a chart tried to load data; its data must be in the specification');
};
const REFUSING = { load: refuse, sanitize: refuse, http: refuse, file: refuse } as never;

/** Warnings concern properties that only some versions know. */
const ignore = () => SILENT;
const SILENT = { level: ignore, error: ignore, warn: ignore, info: ignore, debug: ignore } as never;
