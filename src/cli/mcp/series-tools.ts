import type { ExplainedSeries } from '../../client/discovery/resolution.js';
import { rankSeries } from '../../compute/found-series.js';
import type { LongFrame } from '../../frame/frame.js';
import { readProvenance } from '../../frame/table/provenance.js';
import { SEARCHABLE_TYPES } from '../../model/entity.js';
import { ArgumentError, badArgument } from '../../model/errors.js';
import { plural } from '../../model/names/plural.js';
import type { Provenance } from '../../model/provenance.js';
import { required } from '../../model/schema/check.js';
import { FIELDS, WANTED_PERIOD } from '../../model/schema/fields.js';
import { integer, oneOf, TEXT, withMeaning } from '../../model/schema/schemas.js';
import { seriesKeyText } from '../../model/series.js';
import { formatDay, parsePeriod } from '../../model/time.js';
import { listAllowedUnits } from '../../saved/unit-choice.js';
import { nameNotes, withinNotes } from '../choice/names.js';
import {
  explainNoneKnown,
  findBestSeries,
  findFirstSeries,
  findSeriesByKey,
  frequencyName,
  periodText,
  seriesTitle,
} from '../choice/series-choice.js';
import { FIND, SEARCH as SEARCH_COMMAND } from '../commands/discovery.js';
import { DF, POINTS } from '../commands/retrieval.js';
import type { Asking } from '../connection/with-client.js';
import type { RetrievalOptions, SeriesWords } from '../options/flag-groups.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { defineTool, formatFigure, listUpTo, lookUpSources } from './tool.js';

const { metric, item, region, partner_region, source, frequency, start_date, end_date, at_time } = FIELDS;
const NAMES = { metric, item, region, partner_region, source, frequency };
const NAMED = Object.keys(NAMES) as (keyof typeof NAMES)[];
const RETRIEVAL = { start_date, end_date, at_time, unit_id: FIELDS.unit };
const SERIES_KEY = withMeaning('key of a series, as find_series returns it', TEXT);

export const SEARCH = defineTool({
  name: 'search',
  title: 'Search names',
  description:
    'Search the names of metrics, items, regions and sources. Each hit shows its number of series; a hit with 0 series has no data. Start here to look up names.',
  takes: {
    text: required(withMeaning('words of a name, a synonym or a code, in any order', TEXT)),
    types: withMeaning('types to search; all by default', listUpTo(4, oneOf(SEARCHABLE_TYPES))),
    limit: withMeaning('maximum number of hits (default: 20)', FIELDS.hits),
  },
  async run({ text, types, limit = 20 }, { client, signal, commandLine }) {
    const hits = await client.searchAll(text, { types, limit, signal });
    if (hits.length === 0)
      throw new NothingFoundError(`nothing is called "${text}"; try fewer words, or the English name`);
    const type = types?.length === 1 ? types[0]! : 'all';
    const notes = hits.length === limit ? [`only the first ${limit} hits are listed; there may be more`] : [];
    if (types !== undefined && types.length > 1) notes.push('the command lists the hits of all types');
    return {
      heading: `${hits.length} ${plural('hit', hits.length)} for "${text}"`,
      table: ['hits', 'entity_type', 'id', 'name', 'series', 'exact', 'matched'],
      structured: { hits, notes, command: commandLine(SEARCH_COMMAND, { limit, type, words: [text] }) },
    };
  },
});

export const FIND_SERIES = defineTool({
  name: 'find_series',
  title: 'Find series',
  description:
    'Find data series by metric, item and region, those with the best coverage first. The result shows why each series has its rank, which period it covers, and which entity was used for a name without an exact match. Use its keys to select series in the other tools.',
  takes: {
    ...NAMES,
    ...WANTED_PERIOD,
    limit: withMeaning('maximum number of series (default: 10)', integer({ min: 1, max: 50 })),
  },
  async run({ limit = 10, ...words }, call) {
    if (Object.values(words).every((word) => word === undefined))
      throw new ArgumentError('item', 'nothing to find; specify at least one of metric, item and region');
    const { found, more, within } = await findFirstSeries(call, words, limit).catch(advise);
    const { client, signal } = call;
    const described = found.map((series) => describe(series, words));
    const cut = `more series match; the first ${limit} are listed: specify more names, or raise limit`;
    return {
      heading: `${found.length} series, best first`,
      table: ['series', 'key', 'title', 'start', 'end', 'why'],
      structured: {
        series: described.map((series, at) => ({
          ...series,
          why: [explainRank(series, at), ...nameNotes([found[at]!])].join('; '),
        })),
        units: await listAllowedUnits(client, found.slice(0, 1), signal),
        sources: await lookUpSources(
          call,
          found.map(({ source_id }) => source_id),
        ),
        notes: [...nameNotes(found), ...withinNotes(within), ...(more ? [cut] : [])],
        command: call.commandLine(FIND, { ...words, limit }),
      },
    };
  },
});

type Period = Pick<SeriesWords, 'start_date' | 'end_date'>;

/** Describes a series. `coverage` is the covered share of the requested period, or null if none is requested. */
function describe(series: ExplainedSeries, { start_date, end_date }: Period) {
  const { points, share, startMs, endMs } = series.coverage;
  const hasDates = Number.isFinite(endMs);
  return {
    key: seriesKeyText(series),
    title: seriesTitle(series),
    frequency: frequencyName(series),
    source_id: series.source_id,
    start: hasDates ? formatDay(startMs) : null,
    end: hasDates ? formatDay(endMs) : null,
    coverage: start_date === undefined && end_date === undefined ? null : share,
    points,
  };
}

/** Formats the covered share of the requested period as a one-element list. For null, returns an empty list. */
function shareTexts(share: number | null): string[] {
  return share === null ? [] : [`covers ${(share * 100).toFixed(1)} % of the requested period`];
}

function explainRank({ coverage, points }: ReturnType<typeof describe>, at: number): string {
  return `rank ${at + 1}: ${[...shareTexts(coverage), pointCount(points)].join(', ')}`;
}

function pointCount(points: number): string {
  return `${points} ${plural('point', points)}`;
}

/** Rethrows an error, with advice added if it is a NothingFoundError. @throws always */
function advise(error: unknown): never {
  if (!(error instanceof NothingFoundError)) throw error;
  const advice = 'look up names with search, or call find_series with fewer words';
  throw new NothingFoundError(`${error.message}; ${advice}`);
}

const MAX_ROWS = 1000;

export const GET_POINTS = defineTool({
  name: 'get_points',
  title: 'Get points',
  description: `Get the points of one series. Choose it by its key from find_series, or by names, which select the series with the best coverage. A result has at most ${MAX_ROWS} points, in order of their periods. If it is truncated, it says how to get the rest. The summary covers all points in the period.`,
  takes: {
    series: SERIES_KEY,
    ...NAMES,
    ...RETRIEVAL,
    limit: withMeaning('maximum number of points (default: 200)', integer({ min: 1, max: MAX_ROWS })),
    offset: withMeaning('points to skip', integer()),
  },
  async run({ series: key, limit = 200, offset = 0, unit_id, at_time, ...words }, call) {
    const { start_date, end_date } = words;
    const chosen = await chooseSeries(call, words, key);
    const retrieval = { start_date, end_date, unit_id, at_time };
    const { frame, provenance } = await retrieveLongFrame(call, [chosen], retrieval);
    const all = pointRows(frame, provenance);
    if (offset >= all.length)
      throw badArgument('offset', `the period has only ${pointCount(all.length)}; use a smaller offset`);
    const points = all.slice(offset, offset + limit);
    const next = offset + points.length < all.length ? offset + points.length : null;
    const cut = `points ${offset + 1} to ${offset + points.length} of ${all.length} are listed${next === null ? '' : `; call again with offset ${next}, or run the command for all`}`;
    const summary = summaryOf(all);
    const series = describe(chosen, words);
    const coverage = { share: series.coverage, start: all[0]!.start, end: all.at(-1)!.end };
    return {
      heading: pointsHeading(series.title, summary, coverage),
      table: ['points', 'start', 'end', 'value', 'unit', 'reported'],
      structured: {
        series,
        points,
        summary,
        coverage,
        is_whole: points.length === all.length,
        next_offset: next,
        units: provenance.units,
        sources: provenance.sources,
        notes: [
          ...nameNotes([chosen]),
          ...(key === undefined ? noteUnnamed(words, chosen) : []),
          ...unitNotes(all),
          ...(points.length === all.length ? [] : [cut]),
        ],
        command: call.commandLine(POINTS, {
          ...retrievalFlags(retrieval),
          series: series.key,
          format: 'csv',
        }),
      },
    };
  },
});

type Retrieval = Period & Pick<RetrievalOptions, 'at_time'> & { readonly unit_id?: string | undefined };

function retrievalFlags({ unit_id, ...period }: Retrieval) {
  return { ...period, unit: unit_id === undefined ? undefined : [unit_id] };
}

type Points = ReturnType<typeof pointRows>;

function pointRows(frame: LongFrame, { units }: Provenance) {
  const names = new Map(units.map(({ id, abbreviation, name }) => [id, abbreviation || name]));
  return frame.toRows().map(({ start_date, end_date, value, unit_id, reporting_date }) => ({
    start: formatDay(start_date.getTime()),
    end: formatDay(end_date.getTime()),
    value,
    unit: unit_id === null ? null : (names.get(unit_id) ?? `unit ${unit_id}`),
    reported: reporting_date === null ? null : formatDay(reporting_date.getTime()),
  }));
}

/** Summarises all points. The minimum, mean and maximum are null if the points have several units or no values. */
function summaryOf(points: Points) {
  const values = points.map(({ value }) => value).filter((value) => value !== null);
  const counts = { points: points.length, without_value: points.length - values.length };
  if (values.length === 0 || unitsOf(points).length > 1)
    return { ...counts, min: null, mean: null, max: null };
  const [min, sum, max] = values.reduce(
    ([min, sum, max], value) => [Math.min(min, value), sum + value, Math.max(max, value)],
    [Number.POSITIVE_INFINITY, 0, Number.NEGATIVE_INFINITY],
  );
  return { ...counts, min, mean: sum / values.length, max };
}

function unitsOf(points: Points): string[] {
  return [...new Set(points.map(({ unit }) => unit ?? 'none'))];
}

function unitNotes(points: Points): string[] {
  const units = unitsOf(points);
  return units.length === 1
    ? []
    : [`the points are in several units (${units.join(', ')}); set unit_id to convert them to one unit`];
}

/** Formats the heading: the series' title, the number and dates of its points, the summary and the coverage. */
function pointsHeading(
  title: string,
  summary: ReturnType<typeof summaryOf>,
  { share, start, end }: { readonly share: number | null; readonly start: string; readonly end: string },
): string {
  const figures = (['min', 'mean', 'max'] as const).flatMap((name) =>
    summary[name] === null ? [] : [`${name} ${formatFigure(summary[name])}`],
  );
  const missing = summary.without_value === 0 ? [] : [`${summary.without_value} without a value`];
  const points = [`${pointCount(summary.points)} from ${start} to ${end}`, ...missing, ...figures].join(', ');
  return [title, points, ...shareTexts(share)].join('\n');
}

/** Returns the series with the given key or, without a key, the best match for the words, along with its coverage. */
async function chooseSeries(call: Asking, words: SeriesWords, key?: string): Promise<ExplainedSeries> {
  const named = NAMED.filter((word) => words[word] !== undefined);
  if (key === undefined) {
    if (named.length > 0) return findBestSeries(call, words).catch(advise);
    throw badArgument('series', 'set it to a key from find_series, or set metric, item and region');
  }
  if (named.length > 0) throw badArgument('series', `selects a whole series; omit ${named.join(', ')}`);
  return rankSeries([await findSeriesByKey(call, key)], parsePeriod(words))[0]!;
}

/** Returns a note for each of metric, item and region that was not specified and so was chosen by coverage alone. */
function noteUnnamed(words: SeriesWords, series: ExplainedSeries): string[] {
  return (['metric', 'item', 'region'] as const)
    .filter((word) => words[word] === undefined)
    .map(
      (word) =>
        `no ${word} was named, and "${series[`${word}_name`] ?? series[`${word}_id`]}" was used, which has the best coverage; find_series lists the others`,
    );
}

/**
 * Retrieves the points of several series into one long frame with provenance.
 * @throws NothingFoundError, with a remedy, if there are no points; PartialDataError if a series failed
 */
async function retrieveLongFrame(
  call: Asking,
  series: readonly ExplainedSeries[],
  { start_date, end_date, ...retrieval }: Retrieval,
): Promise<{ frame: LongFrame; provenance: Provenance }> {
  const { client, signal } = call;
  for (const { coverage: _, ...one } of series) client.addSingleDataSeries({ ...one, start_date, end_date });
  const frame = await client.getDf({ ...retrieval, include_names: true, signal });
  if (frame.numRows > 0) return { frame, provenance: readProvenance(frame)! };
  const { at_time } = retrieval;
  const [first] = series as readonly [ExplainedSeries];
  const { endMs } = first.coverage;
  const last = series.length === 1 && Number.isFinite(endMs) ? `; its data end on ${formatDay(endMs)}` : '';
  const none = `there are no points${periodText({ start_date, end_date })}`;
  throw new NothingFoundError(
    at_time === undefined
      ? `${none}${last}; request a different period, or omit the period to get all points`
      : `${none} as of ${at_time}${last}; ${await explainNoneKnown(call, first, at_time)}. Use one of these as at_time; do not omit it, because the latest figures contain later knowledge`,
  );
}

const MAX_DRAWN_SERIES = 8;
const MAX_SVG_BYTES = 400_000;

export const CHART = defineTool({
  name: 'chart',
  title: 'Draw a chart',
  description: `Draw up to ${MAX_DRAWN_SERIES} series over time as SVG: specify keys from find_series, or the names of one series. The picture cites the sources. For the figures themselves, use get_points.`,
  takes: {
    series: withMeaning('keys of series', listUpTo(MAX_DRAWN_SERIES, SERIES_KEY)),
    ...NAMES,
    ...RETRIEVAL,
    theme: oneOf(['light', 'dark']),
    as: withMeaning(
      'SVG as text (default), or as an image, which not every assistant can show',
      oneOf(['text', 'image']),
    ),
  },
  async run({ series: keys, unit_id, at_time, theme, as = 'text', ...words }, call) {
    const { start_date, end_date } = words;
    const retrieval = { start_date, end_date, unit_id, at_time };
    const given = keys === undefined ? [undefined] : [...new Set(keys)];
    const chosen = await Promise.all(given.map((key) => chooseSeries(call, words, key)));
    const { frame, provenance } = await retrieveLongFrame(call, chosen, retrieval);
    const { plotFrame } = await import('../../charts/frame.js');
    const drawing = plotFrame(frame);
    const svg = await drawing.toSvg({ theme });
    const bytes = Buffer.byteLength(svg);
    if (bytes > MAX_SVG_BYTES)
      throw new ArgumentError(
        'series',
        `the chart has ${bytes} bytes, more than the maximum of ${MAX_SVG_BYTES}; request fewer series or a shorter period`,
      );
    const description = String(drawing.spec.description ?? '');
    const image = { mimeType: 'image/svg+xml', data: Buffer.from(svg).toString('base64') };
    return {
      heading: description,
      table: ['series', 'key', 'title', 'coverage'],
      structured: {
        description,
        series: chosen.map((series) => describe(series, words)),
        points: frame.numRows,
        svg_bytes: bytes,
        units: provenance.units,
        sources: provenance.sources,
        notes: [
          ...nameNotes(chosen),
          ...(keys === undefined ? noteUnnamed(words, chosen[0]!) : []),
          ...provenance.report
            .filter(({ outcome }) => outcome === 'empty')
            .map(
              ({ series }) =>
                `series ${seriesKeyText(series)} has no points in this period, and is not drawn`,
            ),
        ],
        command: call.commandLine(DF, { ...retrievalFlags(retrieval), series: chosen.map(seriesKeyText) }),
      },
      ...(as === 'text' ? { more: svg } : { image }),
    };
  },
});
