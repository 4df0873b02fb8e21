import type { DegreeDayMethod } from '../../agronomy/degree-days/plan.js';
import {
  AXES,
  EVERY,
  type Every,
  FORMULAS,
  HOWS,
  type How,
  MAP_CLASSES,
  MEAN_PERIODS,
  SCALES,
} from '../../model/chart-choices.js';
import { type Note, number, readNotes, writeNotes } from '../../model/chart-notes.js';
import { parseSeriesKey, type SeriesKey, seriesKeyText } from '../../model/series.js';
import { endOfDay, isDay } from '../../model/time.js';

/** The panels of the page, in the order of their tabs. */
export const VIEWS = ['chart', 'table', 'map', 'revisions', 'degree-days', 'weights'] as const;
/** A panel of the page. */
export type View = (typeof VIEWS)[number];
/** The panels with choices of their own, to which the chosen series do not belong. */
export const WITHOUT_SERIES: readonly View[] = ['degree-days', 'weights'];

/** A part of the state: its name in a link, its first value, and how it is written there. */
interface Parameter<Value> {
  readonly name: string;
  readonly initial: Value;
  /** Undefined for a text that cannot be read. */
  readonly read: (written: string) => Value | undefined;
  /** By default the value as a text, empty for null, with commas in a list. */
  readonly write?: (value: Value) => string | number;
}

/** Returns a parameter that is null at first. */
function optional<Value>(
  name: string,
  read: (written: string) => Value | undefined,
): Parameter<Value | null> {
  return { name, initial: null, read };
}

/** Returns one of some words, at first the first one. */
function oneOf<const Word extends string>(name: string, words: readonly Word[]): Parameter<Word> {
  return { name, initial: words[0]!, read: (written) => words.find((word) => word === written) };
}

/** Distinct things, separated by commas. */
function listOf<Value>(name: string, readOne: (written: string) => Value | undefined | null) {
  const read = (written: string) => {
    const list = [...new Set(written.split(',').map(readOne))];
    return list.some((one) => one == null) ? undefined : (list as Value[]);
  };
  return { name, initial: [] as readonly Value[], read };
}

/** Returns the id of an entity, and ids of some. */
const id = (name: string) => optional(name, readId);
const ids = (name: string) => listOf(name, readId);

function readId(written: string): number | undefined {
  const value = Number(written);
  return /^\d{1,16}$/.test(written) && Number.isSafeInteger(value) ? value : undefined;
}

/** Returns a day of the calendar, `YYYY-MM-DD`. */
const day = (name: string) => optional(name, (written) => (isDay(written) ? written : undefined));

/** Returns a day of every year, `MM-DD`. */
const seasonDay = (name: string, initial: string): Parameter<string> => ({
  name,
  initial,
  read: (written) => (isDay(`2001-${written}`) ? written : undefined),
});

/** All of the page that a link restores, in the order in which it is written. */
const PARAMETERS = {
  view: oneOf('view', VIEWS),
  series: {
    ...listOf<SeriesKey>('s', parseSeriesKey),
    write: (keys: readonly SeriesKey[]) => keys.map(seriesKeyText).join(),
  },
  filters: {
    metric: ids('metric'),
    item: ids('item'),
    region: ids('region'),
    source: ids('source'),
    frequency: ids('frequency'),
  },
  from: day('from'),
  to: day('to'),
  asof: day('asof'),
  /** The unit into which values are converted. */
  unit: id('unit'),
  scale: oneOf('y', SCALES),
  /** Periods of a mean of several. */
  periods: {
    name: 'n',
    initial: MEAN_PERIODS as number,
    read: (written: string) =>
      /^\d{1,3}$/.test(written) && Number(written) > 1 ? Number(written) : undefined,
  },
  formula: oneOf('f', FORMULAS),
  every: optional('every', (written): Every | undefined => EVERY.find((one) => one === written)),
  /** Null for the sum of amounts, and the mean of others. */
  how: optional('how', (written) => HOWS.find((one) => one === written)),
  axes: oneOf('axes', AXES),
  notes: { name: 'notes', initial: [] as readonly Note[], read: readNotes, write: writeNotes },
  /** The dates of the map, and of a second one to compare. */
  date: day('date'),
  otherDate: day('date2'),
  /** Whether colours of a map are those of all dates or of the shown one, and how its classes are made. */
  colours: oneOf('colours', ['all', 'date']),
  classes: oneOf('classes', MAP_CLASSES),
  /** Whether a change from the second date is in units, or a share of the value then. */
  change: oneOf('change', ['units', 'percent']),
  /** Takes the nearest earlier value where a region has none on the date of the map. */
  nearest: {
    name: 'nearest',
    initial: false as boolean,
    read: (written: string) => written === '1' || undefined,
    write: Number,
  },
  degreeDays: {
    station: id('gdd'),
    /** The unit of the thresholds and the degree days. */
    unit: oneOf('gdd_unit', ['celsius', 'fahrenheit']),
    base: { ...number, name: 'gdd_base', initial: 10 },
    cap: optional('gdd_cap', number.read),
    method: {
      name: 'gdd_method',
      initial: 'average' as DegreeDayMethod,
      // Degree days name the methods that they know.
      read: (written: string) => written as DegreeDayMethod,
    },
    from: seasonDay('gdd_from', '04-01'),
    to: seasonDay('gdd_to', '10-31'),
  },
  weights: {
    crop: id('w_crop'),
    metric: id('w_metric'),
    regions: ids('w_regions'),
    /** The years whose means are the weights; null for the latest ten, and the last one. */
    from: id('w_from'),
    to: id('w_to'),
    /** The series whose values are weighted: its item and its metric. */
    item: id('w_item'),
    value: id('w_value'),
  },
  query: { name: 'q', initial: '', read: (written: string) => written },
};

type Valued<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends { readonly initial: infer Value }
    ? Value
    : Valued<Table[Key]>;
};

/** All of the page that a link restores. */
export type ViewState = Valued<typeof PARAMETERS>;

/** The wanted ids of each list in which series are narrowed down; none restricts nothing. */
export type Filters = ViewState['filters'];
/** A list in which series are narrowed down. */
export type Facet = keyof Filters;
/** The lists in which series are narrowed down, in the order of the page. */
export const FACETS = Object.keys(PARAMETERS.filters) as Facet[];

/** A part of the state, or a part of one. */
type Part = { readonly [key: string]: unknown };

/** Every parameter with its place in the state. */
export const PLACES = Object.entries(PARAMETERS).flatMap(([key, one]) =>
  'initial' in one
    ? [{ path: [key], parameter: one as Parameter<unknown> }]
    : Object.entries(one).map(([inner, part]) => ({
        path: [key, inner],
        parameter: part as Parameter<unknown>,
      })),
);

/** Returns a state with another value at a place. */
export function withValue(state: Part, [key, ...inner]: readonly string[], value: unknown): Part {
  return { ...state, [key!]: inner.length === 0 ? value : withValue(state[key!] as Part, inner, value) };
}

/** The page before anything is chosen. */
export const EMPTY_STATE = PLACES.reduce<Part>(
  (state, { path, parameter }) => withValue(state, path, parameter.initial),
  {},
) as ViewState;

/** The request of the page, and the steps from the answer to the view. Code for scripts is made of it. */
export interface DataRequest
  extends Pick<
    ViewState,
    'series' | 'from' | 'to' | 'asof' | 'unit' | 'every' | 'how' | 'scale' | 'formula' | 'periods'
  > {
  /** How the finer values of each series became those of its periods; null where they did not. */
  readonly hows?: readonly (How | null)[] | undefined;
  /** The unit of the formula's values. */
  readonly formulaUnit?: string | undefined;
  /** Regions in the place of that of the only series: the same figures of many places. */
  readonly regions?: readonly number[] | undefined;
  /** Every vintage of each period, with the dates on which it became available. */
  readonly vintages?: boolean | undefined;
}

/** Returns the request of a state. */
export function requestOf(state: ViewState): DataRequest {
  const { series, from, to, asof, unit, every, how, scale, formula, periods } = state;
  return { series, from, to, asof, unit, every, how, scale, formula, periods };
}

/** What the points of a request are, in the words of the client. */
export function flagsOf({ from, to, asof, unit, vintages }: Partial<DataRequest>) {
  return {
    ...(from == null ? {} : { start_date: from }),
    ...(to == null ? {} : { end_date: to }),
    ...(asof == null ? {} : { at_time: endOfDay(asof) }),
    ...(unit == null ? {} : { unit_id: unit }),
    ...(vintages ? { complete_history: true, show_available_date: true } : {}),
  };
}
