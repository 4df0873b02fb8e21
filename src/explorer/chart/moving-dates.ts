import type { Spec, View } from 'vega';

/** The signal of the dates between which the axis of time is: the first and the last in UTC milliseconds, or null for all. */
const DATES = 'shownDates';

/**
 * A specification of Vega whose axes of time can be moved without computing anything else anew: lines and points are then cut
 * at its edges, and of their points only the position is asked for again.
 */
export function withMovingDates(spec: Spec): Spec {
  const moving = (part: Part): Part => ({
    ...part,
    ...(part.scales && { scales: part.scales.map(withDates) }),
    ...(part.marks && { marks: part.marks.map(moving) }),
    ...((part.type === 'line' || part.type === 'symbol') && {
      clip: { signal: `${DATES} !== null` },
      encode: positionsApart(part.encode ?? {}),
    }),
  });
  return {
    ...moving(spec as Part),
    signals: [...(spec.signals ?? []), { name: DATES, value: null }],
  } as Spec;
}

function withDates(scale: { readonly type?: string | undefined }): object {
  return scale.type === 'utc' ? { ...scale, domainRaw: { signal: DATES } } : scale;
}

/** What does not depend on scales of positions is computed when a point enters, and not again. */
function positionsApart({ enter, update, ...others }: Part['encode'] & object): object {
  const { x, y, ...once } = update ?? {};
  return { ...others, enter: { ...enter, ...once }, update: { ...(x && { x }), ...(y && { y }) } };
}

/** What of a specification has axes of time and points. */
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
