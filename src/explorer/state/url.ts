import { MAX_SERIES } from '../../model/chart-choices.js';
import { seriesKeyText } from '../../model/series.js';
import { EMPTY_STATE, PLACES, type ViewState, withValue } from './view-state.js';

const VERSION = '1';

/** Returns a state's query string without `?`. It is empty for the initial state, and equal for equal states. */
export function printState(state: ViewState): string {
  const written = PLACES.flatMap(({ path, parameter: { name, initial, write = String } }) => {
    const [value, first] = [path.reduce<unknown>(partOf, state), initial].map((one) => write(one ?? ''));
    return value === first ? [] : [`${name}=${escapeValue(String(value))}`];
  });
  return written.length === 0 ? '' : [`v=${VERSION}`, ...written].join('&');
}

const partOf = (part: unknown, key: string) => (part as Readonly<Record<string, unknown>>)[key];

/** Parses a link's query string. Invalid parts are skipped, and each is reported in one sentence. Never throws. */
export function parseState(query: string): { state: ViewState; problems: readonly string[] } {
  const problems: string[] = [];
  let state = EMPTY_STATE;
  const seen = new Set<string>();
  for (const [name, written] of new URLSearchParams(query)) {
    if (name === 'v') {
      if (written !== VERSION)
        problems.push(
          `The link has version ${quote(written)}, but this page can read only version ${VERSION}.`,
        );
      continue;
    }
    const known = PLACES.find(({ parameter }) => parameter.name === name);
    if (known === undefined) problems.push(`The parameter ${quote(name)} is unknown.`);
    else if (seen.has(name))
      problems.push(`The parameter ${quote(name)} is given twice; the first value is used.`);
    else {
      const read = known.parameter.read(written);
      if (read === undefined)
        problems.push(`The value ${quote(written)} of the parameter ${quote(name)} is not valid.`);
      else state = withValue(state, known.path, read) as unknown as ViewState;
    }
    seen.add(name);
  }
  return { state: normalizeState(state, problems), problems };
}

/** Removes repeated series, series beyond the maximum number, and a date range that ends before it begins. */
function normalizeState(state: ViewState, problems: string[]): ViewState {
  const distinct = [...new Map(state.series.map((key) => [seriesKeyText(key), key])).values()];
  const series = distinct.slice(0, MAX_SERIES);
  if (distinct.length > series.length)
    problems.push(`The link lists ${distinct.length} series; only the first ${MAX_SERIES} are shown.`);
  const { from, to } = state;
  if (from === null || to === null || from <= to) return { ...state, series };
  problems.push(`The range from ${from} to ${to} ends before it begins.`);
  return { ...state, series, from: null, to: null };
}

/** Encodes a value for the query string, escaping only what must be escaped. */
function escapeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%20', '+');
}

const MAX_QUOTED = 40;

function quote(written: string): string {
  return `“${written.length > MAX_QUOTED ? `${written.slice(0, MAX_QUOTED)}…` : written}”`;
}
