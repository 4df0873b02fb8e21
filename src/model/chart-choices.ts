/**
 * How values are drawn: as suits them, as they are, as smooth lines over faint days, the latest year against the others, as a
 * share of the first one, against the year before, or year over year on one calendar.
 */
export const SCALES = ['auto', 'normal', 'smooth', 'usual', 'index', 'yoy', 'season'] as const;
/** How values are drawn. */
export type Scale = (typeof SCALES)[number];

/** Calendar periods to which values are resampled, and the frequencies of them. */
export const RESAMPLED = { week: 'weekly', month: 'monthly', quarter: 'quarterly', year: 'annual' } as const;
/** A calendar period to resample to. */
export type Every = keyof typeof RESAMPLED;
export const EVERY = Object.keys(RESAMPLED) as readonly Every[];

/** How the values of a period become one. */
export const HOWS = ['mean', 'sum', 'last'] as const;
/** How the values of a period become one. */
export type How = (typeof HOWS)[number];

/** Whether each of several units has a panel, or an axis of one panel. */
export const AXES = ['panels', 'one'] as const;
/** Where the axes of several units are. */
export type Axes = (typeof AXES)[number];

/** More series cannot be told apart in one chart. */
export const MAX_SERIES = 60;
