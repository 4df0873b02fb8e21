import type { DegreeDayMethod } from '../../agronomy/degree-days/plan.js';
import {
  EVERY,
  type Every,
  FORMULAS,
  HOWS,
  type How,
  MAX_SERIES,
  MEAN_PERIODS,
  SCALES,
} from '../../model/chart-choices.js';
import { type Note, number, readNotes, writeNotes } from '../../model/chart-notes.js';
import type { PeriodLength } from '../../model/entity.js';
import { parseSeriesKey, type SeriesKey, seriesKeyText } from '../../model/series.js';
import { endOfDay, isDay } from '../../model/time.js';

export const VIEWS = ['chart', 'table', 'map', 'revisions', 'degree-days', 'weights'] as const;
export type View = (typeof VIEWS)[number];
/** The views that do not use the chosen series, because they have their own choices. */
export const WITHOUT_SERIES: readonly View[] = ['degree-days', 'weights'];
const WITH_SERIES = VIEWS.filter((view) => !WITHOUT_SERIES.includes(view));

interface Parameter<Value> {
  readonly name: string;
  readonly initial: Value;
  /** Parses the value in a link. Returns `undefined` if the value is invalid. */
  readonly read: (written: string) => Value | undefined;
  /** Formats the value for a link. By default, null becomes an empty string, and lists are joined with commas. */
  readonly write?: (value: Value) => string | number;
}

function optional<Value>(
  name: string,
  read: (written: string) => Value | undefined,
): Parameter<Value | null> {
  return { name, initial: null, read };
}

/** Returns a link parameter with a fixed set of values. The first value is the default. */
function oneOf<const Word extends string>(name: string, words: readonly Word[]): Parameter<Word> {
  return { name, initial: words[0]!, read: (written) => words.find((word) => word === written) };
}

function listOf<Value>(name: string, readOne: (written: string) => Value | undefined | null) {
  const read = (written: string) => {
    const list = [...new Set(written.split(',').map(readOne))];
    return list.some((one) => one == null) ? undefined : (list as Value[]);
  };
  return { name, initial: [] as readonly Value[], read };
}

const id = (name: string) => optional(name, readId);
const ids = (name: string) => listOf(name, readId);

function readId(written: string): number | undefined {
  const value = Number(written);
  return /^\d{1,16}$/.test(written) && Number.isSafeInteger(value) ? value : undefined;
}

const day = (name: string) => optional(name, (written) => (isDay(written) ? written : undefined));

const seasonDay = (name: string, initial: string): Parameter<string> => ({
  name,
  initial,
  read: (written) => (isDay(`2001-${written}`) ? written : undefined),
});

/** The link parameters, in the order in which they are written. */
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
  unit: id('unit'),
  scale: oneOf('y', SCALES),
  periods: {
    name: 'n',
    initial: MEAN_PERIODS as number,
    read: (written: string) =>
      /^\d{1,3}$/.test(written) && Number(written) > 1 ? Number(written) : undefined,
  },
  formula: oneOf('f', FORMULAS),
  every: optional('every', (written): Every | undefined => EVERY.find((one) => one === written)),
  /** How to aggregate values to longer periods. If null, amounts are summed and other values are averaged. */
  how: optional('how', (written) => HOWS.find((one) => one === written)),
  notes: { name: 'notes', initial: [] as readonly Note[], read: readNotes, write: writeNotes },
  date: day('date'),
  otherDate: day('date2'),
  /** Whether changes since the second date are shown in units or as a percentage of the earlier value. */
  change: oneOf('change', ['units', 'percent']),
  degreeDays: {
    station: id('gdd'),
    /** The unit of the temperatures, thresholds and degree days. */
    unit: oneOf('gdd_unit', ['celsius', 'fahrenheit']),
    base: { ...number, name: 'gdd_base', initial: 10 },
    cap: optional('gdd_cap', number.read),
    method: {
      name: 'gdd_method',
      initial: 'average' as DegreeDayMethod,
      // The method is validated when the degree days are computed.
      read: (written: string) => written as DegreeDayMethod,
    },
    from: seasonDay('gdd_from', '04-01'),
    to: seasonDay('gdd_to', '10-31'),
  },
  weights: {
    crop: id('w_crop'),
    metric: id('w_metric'),
    regions: ids('w_regions'),
    /** The first year over which weights are averaged. If null, the average covers ten years. */
    from: id('w_from'),
    /** The last year over which weights are averaged. Null means the latest year with data. */
    to: id('w_to'),
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

export type ViewState = Valued<typeof PARAMETERS>;

export type Filters = ViewState['filters'];
export type Facet = keyof Filters;
export const FACETS = Object.keys(PARAMETERS.filters) as Facet[];

type Part = { readonly [key: string]: unknown };

const PLACES = Object.entries(PARAMETERS).flatMap(([key, one]) =>
  'initial' in one
    ? [{ path: [key], parameter: one as Parameter<unknown> }]
    : Object.entries(one).map(([inner, parameter]: [string, Parameter<unknown>]) => ({
        path: [key, inner],
        parameter,
      })),
);

export function withValue(state: Part, [key, ...inner]: readonly string[], value: unknown): Part {
  return { ...state, [key!]: inner.length === 0 ? value : withValue(state[key!] as Part, inner, value) };
}

export const EMPTY_STATE = PLACES.reduce<Part>(
  (state, { path, parameter }) => withValue(state, path, parameter.initial),
  {},
) as ViewState;

/** A request for values, and the steps that turn the response into the view. It can be exported as a program. */
export interface DataRequest
  extends Pick<
    ViewState,
    'series' | 'from' | 'to' | 'asof' | 'unit' | 'every' | 'how' | 'scale' | 'formula' | 'periods'
  > {
  /** How each series is aggregated to the view's periods; null for a series that is not aggregated. */
  readonly hows?: readonly (How | null)[] | undefined;
  readonly formulaUnit?: string | undefined;
  readonly window?: PeriodLength | undefined;
  /** Regions to use instead of the series' own region. Set only if there is exactly one series. */
  readonly regions?: readonly number[] | undefined;
  /** Whether all vintages of each period are requested, with the dates on which they became available. */
  readonly vintages?: boolean | undefined;
}

export function toClientOptions({ from, to, asof, unit, vintages }: Partial<DataRequest>) {
  return {
    ...(from == null ? {} : { start_date: from }),
    ...(to == null ? {} : { end_date: to }),
    ...(asof == null ? {} : { at_time: endOfDay(asof) }),
    ...(unit == null ? {} : { unit_id: unit }),
    ...(vintages ? { complete_history: true, show_available_date: true } : {}),
  };
}

const CHARTED: readonly View[] = ['chart', 'table'];
/** The views that use each part of the state. Parts that are not listed are used by all views. */
const USED_BY: { readonly [Key in keyof ViewState]?: readonly View[] } = {
  ...{ series: WITH_SERIES, filters: WITH_SERIES, unit: WITH_SERIES },
  ...{ from: [...CHARTED, 'map'], to: [...CHARTED, 'map'] },
  ...{ scale: CHARTED, periods: CHARTED, formula: CHARTED, every: CHARTED, how: CHARTED, notes: ['chart'] },
  ...{ date: ['map'], otherDate: ['map'], change: ['map'] },
  ...{ degreeDays: ['degree-days'], weights: ['weights'] },
};

/** Returns a link's state. Parts that the link's view does not use and the link does not set are taken from `other`. */
export function withUnused(state: ViewState, other: ViewState): ViewState {
  const textOf = (part: unknown) => JSON.stringify(part);
  const isInitial = (key: string) => textOf(partOf(state, key)) === textOf(partOf(EMPTY_STATE, key));
  const unused = Object.entries(other).filter(([key]) => !isUsed(state, key) && isInitial(key));
  return { ...state, ...Object.fromEntries(unused) };
}

const isUsed = ({ view }: ViewState, key: string) => USED_BY[key as keyof ViewState]?.includes(view) ?? true;

/** Returns a state's query string without `?`: the parts that the view uses and that differ from the initial ones. */
export function printState(state: ViewState): string {
  const written = PLACES.flatMap(({ path, parameter: { name, initial, write = String } }) => {
    if (!isUsed(state, path[0]!)) return [];
    const [value, first] = [path.reduce<unknown>(partOf, state), initial].map((one) => write(one ?? ''));
    return value === first ? [] : [`${name}=${escapeValue(String(value))}`];
  });
  return written.length === 0 ? '' : ['v=1', ...written].join('&');
}

/** Returns the query string for an image of the view, without the search and the filters. */
export function pictureQuery(state: ViewState): string {
  const { query, filters } = EMPTY_STATE;
  const weights = { ...state.weights, item: null, value: null };
  return printState({ ...state, query, filters, weights });
}

const partOf = (part: unknown, key: string) => (part as Readonly<Record<string, unknown>>)[key];

/** Parses a link's query string. Invalid parts are skipped, and each is reported in one sentence. Never throws. */
export function parseState(query: string): { state: ViewState; problems: readonly string[] } {
  const problems: string[] = [];
  let state = EMPTY_STATE;
  for (const [name, written] of new URLSearchParams(query)) {
    const known = PLACES.find(({ parameter }) => parameter.name === name);
    const read = known?.parameter.read(written);
    if (name === 'v') continue;
    if (known === undefined) problems.push(`The parameter ${quote(name)} is unknown.`);
    else if (read === undefined)
      problems.push(`The value ${quote(written)} of the parameter ${quote(name)} is not valid.`);
    else state = withValue(state, known.path, read) as unknown as ViewState;
  }
  const distinct = distinctSeries(state.series);
  if (distinct.length > MAX_SERIES)
    problems.push(`The link lists ${distinct.length} series; only the first ${MAX_SERIES} are shown.`);
  return { state: { ...state, series: distinct.slice(0, MAX_SERIES) }, problems };
}

export function distinctSeries<Key extends SeriesKey>(series: readonly Key[]): readonly Key[] {
  return [...new Map(series.map((key) => [seriesKeyText(key), key])).values()];
}

export function toggled(ids: readonly number[], id: number): readonly number[] {
  return ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
}

function escapeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%20', '+');
}

const quote = (written: string) => `“${written}”`;
