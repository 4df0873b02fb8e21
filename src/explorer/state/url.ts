import { AXES, EVERY, HOWS, MAX_SERIES, SCALES } from '../../model/chart-choices.js';
import { isDay, type Note, number, readNotes, writeNotes } from '../../model/chart-notes.js';
import { parseSeriesKey, type SeriesKey, seriesKeyText } from '../../model/series.js';
import { EMPTY_STATE, MAP_CLASSES, MAP_COLOURS, VIEWS, type ViewState } from './view-state.js';

/** How a part of the state is written in a link; undefined for a text that cannot be read. */
export interface Codec<Value> {
  readonly read: (written: string) => Value | undefined;
  readonly write: (value: Value) => string;
}

/** One of some words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Codec<Word> {
  return {
    read: (written) => words.find((word) => word === written),
    write: (value) => value,
  };
}

/** The id of an entity. */
export const id: Codec<number | null> = {
  read: (written) => readId(written),
  write: (value) => (value === null ? '' : String(value)),
};

/** Ids of entities. */
export const idList: Codec<readonly number[]> = {
  read(written) {
    const ids = written.split(',').map(readId);
    return ids.includes(undefined) ? undefined : [...new Set(ids as number[])];
  },
  write: (ids) => ids.join(','),
};

/** The number of an id; undefined for other texts. */
export function readId(written: string): number | undefined {
  const value = Number(written);
  return /^\d{1,16}$/.test(written) && Number.isSafeInteger(value) ? value : undefined;
}

/** A day of the calendar, `YYYY-MM-DD`. */
export const dateText: Codec<string | null> = {
  read: (written) => (isDay(written) ? written : undefined),
  write: (value) => value ?? '',
};

/** A day of every year, `MM-DD`. */
export const seasonDay: Codec<string | null> = {
  read: (written) => (isDay(`2001-${written}`) ? written : undefined),
  write: (value) => value ?? '',
};

/** Yes, or nothing. */
export const flag: Codec<boolean> = {
  read: (written) => (written === '1' ? true : undefined),
  write: (value) => (value ? '1' : ''),
};

/** Series by their keys, separated by commas. */
export const seriesList: Codec<readonly SeriesKey[]> = {
  read(written) {
    const keys = written.split(',').map(parseSeriesKey);
    return keys.includes(null) ? undefined : (keys as SeriesKey[]);
  },
  write: (keys) => keys.map(seriesKeyText).join(','),
};

/** Notes of a chart. */
const noteList: Codec<readonly Note[]> = { read: readNotes, write: writeNotes };

/** A text that a user typed. */
export const text: Codec<string> = { read: (written) => written, write: (value) => value };

/** The version of the form below. */
const VERSION = '1';

/** A parameter: the part of the state that it holds, and how that is written. */
interface Parameter {
  readonly name: string;
  readonly read: (state: ViewState, written: string) => ViewState | null;
  readonly write: (state: ViewState) => string;
}

function parameter<Value>(
  name: string,
  codec: Codec<Value>,
  lens: { get: (state: ViewState) => Value; set: (state: ViewState, value: Value) => ViewState },
): Parameter {
  return {
    name,
    read(state, written) {
      const value = codec.read(written);
      return value === undefined ? null : lens.set(state, value);
    },
    write: (state) => {
      const written = codec.write(lens.get(state));
      return written === codec.write(lens.get(EMPTY_STATE)) ? '' : written;
    },
  };
}

/** A parameter for a field of the state. */
function field<Key extends keyof ViewState>(name: string, key: Key, codec: Codec<ViewState[Key]>): Parameter {
  return parameter(name, codec, {
    get: (state) => state[key],
    set: (state, value) => ({ ...state, [key]: value }),
  });
}

/** A parameter for a field of a part of the state. */
function partField<Part extends 'filters' | 'degreeDays' | 'weights', Key extends keyof ViewState[Part]>(
  name: string,
  [part, key]: readonly [Part, Key],
  codec: Codec<ViewState[Part][Key]>,
): Parameter {
  return parameter(name, codec, {
    get: (state) => state[part][key],
    set: (state, value) => ({ ...state, [part]: { ...state[part], [key]: value } }),
  });
}

/** Every parameter, in the order in which they are written. */
const PARAMETERS: readonly Parameter[] = [
  field('view', 'view', oneOf(VIEWS)),
  field('s', 'series', seriesList),
  partField('metric', ['filters', 'metric'], idList),
  partField('item', ['filters', 'item'], idList),
  partField('region', ['filters', 'region'], idList),
  partField('source', ['filters', 'source'], idList),
  partField('frequency', ['filters', 'frequency'], idList),
  field('from', 'from', dateText),
  field('to', 'to', dateText),
  field('asof', 'asof', dateText),
  field('unit', 'unit', id),
  field('y', 'scale', oneOf(SCALES)),
  field('every', 'every', { read: oneOf(EVERY).read, write: (value) => value ?? '' }),
  field('how', 'how', oneOf(HOWS)),
  field('axes', 'axes', oneOf(AXES)),
  field('notes', 'notes', noteList),
  field('date', 'date', dateText),
  field('date2', 'otherDate', dateText),
  field('colours', 'colours', oneOf(MAP_COLOURS)),
  field('classes', 'classes', oneOf(MAP_CLASSES)),
  field('nearest', 'nearest', flag),
  partField('gdd', ['degreeDays', 'station'], id),
  partField('gdd_base', ['degreeDays', 'base'], number),
  partField('gdd_cap', ['degreeDays', 'cap'], number),
  partField('gdd_method', ['degreeDays', 'method'], {
    read: (written) => written,
    write: (value) => value ?? '',
  }),
  partField('gdd_from', ['degreeDays', 'from'], seasonDay),
  partField('gdd_to', ['degreeDays', 'to'], seasonDay),
  partField('w_crop', ['weights', 'crop'], id),
  partField('w_metric', ['weights', 'metric'], id),
  partField('w_regions', ['weights', 'regions'], idList),
  partField('w_item', ['weights', 'item'], id),
  partField('w_value', ['weights', 'value'], id),
  field('q', 'query', text),
];

/** The query of a link that restores the state, without `?`; empty for the empty state. Equal states have equal texts. */
export function printState(state: ViewState): string {
  const written = PARAMETERS.flatMap((one) => {
    const value = one.write(state);
    return value === '' ? [] : [`${one.name}=${escapeValue(value)}`];
  });
  return written.length === 0 ? '' : [`v=${VERSION}`, ...written].join('&');
}

/** A state read from a link, and the unreadable parts of the link. */
export interface ReadLink {
  readonly state: ViewState;
  /** A sentence for each parameter that was left out. */
  readonly problems: readonly string[];
}

/** The state of a link's query, with or without `?`. Unreadable parts are left out and named; nothing throws. */
export function parseState(query: string): ReadLink {
  const problems: string[] = [];
  let state = EMPTY_STATE;
  const seen = new Set<string>();
  for (const [name, written] of new URLSearchParams(query)) {
    if (name === 'v') {
      if (written !== VERSION)
        problems.push(`The link is of version ${quote(written)}; this page reads version ${VERSION}.`);
      continue;
    }
    const known = PARAMETERS.find((one) => one.name === name);
    if (known === undefined) problems.push(`The parameter ${quote(name)} is unknown.`);
    else if (seen.has(name))
      problems.push(`The parameter ${quote(name)} is given twice; the first one counts.`);
    else {
      const read = known.read(state, written);
      if (read === null) problems.push(`The value ${quote(written)} of ${quote(name)} cannot be read.`);
      else state = read;
    }
    seen.add(name);
  }
  return { state: checked(state, problems), problems };
}

/** The state without series above the limit, repeated ones, and an empty range. */
function checked(state: ViewState, problems: string[]): ViewState {
  const distinct = [...new Map(state.series.map((key) => [seriesKeyText(key), key])).values()];
  const series = distinct.slice(0, MAX_SERIES);
  if (distinct.length > series.length)
    problems.push(`The link names ${distinct.length} series; the first ${MAX_SERIES} are shown.`);
  const { from, to } = state;
  if (from === null || to === null || from <= to) return { ...state, series };
  problems.push(`The range from ${from} to ${to} ends before it begins.`);
  return { ...state, series, from: null, to: null };
}

/** A value as the query holds it: readable, with the necessary escapes. */
function escapeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%20', '+');
}

const MAX_QUOTED = 40;

function quote(written: string): string {
  return `“${written.length > MAX_QUOTED ? `${written.slice(0, MAX_QUOTED)}…` : written}”`;
}
