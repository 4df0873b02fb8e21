import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import type { ExplainedSeries, FoundSeries } from '../../client/discovery/resolution.js';
import { readProvenance } from '../../frame/table/provenance.js';
import { ArgumentError, badArgument, CropframeError } from '../../model/errors.js';
import { fileFailure } from '../../model/file-failure.js';
import { plural } from '../../model/names/plural.js';
import { checkOptions, type KnownKeys } from '../../model/schema/check.js';
import { WANTED_PERIOD } from '../../model/schema/fields.js';
import { ID, isNot, TEXT } from '../../model/schema/schemas.js';
import { SERIES } from '../../model/selection.js';
import {
  type DataSeries,
  parseSeriesKey,
  SERIES_KEY_FIELDS,
  SERIES_WORDS,
  seriesKeyText,
} from '../../model/series.js';
import { parseTime } from '../../model/time.js';
import { nameNotes } from '../choice/names.js';
import {
  explainDayAlone,
  explainNoneKnown,
  findBestSeries,
  findSeriesByKey,
  noSeriesError,
  periodText,
  seriesTitle,
} from '../choice/series-choice.js';
import type { DF, POINTS } from '../commands/retrieval.js';
import { type Asking, type ClientContext, createAction } from '../connection/with-client.js';
import type { SeriesWords } from '../options/flag-groups.js';
import type { InputValues } from '../options/flags.js';
import { EXIT, NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, type CommandIo, readText, remark, warn, warnOfAll } from '../terminal/io.js';
import { progressOptions } from '../terminal/progress.js';
import { type Frame, outputFormat, writeFrame } from '../terminal/write-frame.js';

type DfOptions = InputValues<typeof DF.takes>;
type PointsOptions = InputValues<typeof POINTS.takes>;

interface WantedSeries {
  /** The name by which a warning refers to the series if it does not exist. */
  readonly title: string;
  /** Finds the series. Sets the requested dates instead of its own dates, which would exclude points added later. */
  find(call: Asking): Promise<FoundSeries>;
}

const wantKey = (key: string): WantedSeries => ({
  title: key,
  find: async (call) => ({
    ...(await findSeriesByKey(call, key)),
    start_date: undefined,
    end_date: undefined,
  }),
});

function wantWords(words: SeriesWords): WantedSeries {
  const { start_date, end_date } = words;
  const given = Object.values(words).filter((word) => word !== undefined);
  return {
    title: given.join(', '),
    find: async (call) => ({ ...(await findBestSeries(call, words)), start_date, end_date }),
  };
}

/** Retrieves the series listed in a file, the series given by key, and one series for each combination of names. */
export const retrieveSeries = createAction(async (context, options: DfOptions) => {
  const { file, series: keys = [] } = options;
  const wanted = [
    ...(file === undefined ? [] : await readSeriesList(file, context)),
    ...keys.map(wantKey),
    ...combineNames(options).map(wantWords),
  ];
  if (wanted.length > 0) return retrieveWanted(context, options, wanted);
  throw noSelection('a FILE, ');
});

export const retrievePoints = createAction(async (context, options: PointsOptions) => {
  const { series } = options;
  const named = WORDS.filter((word) => options[word] !== undefined);
  const other = options.other.join(' ');
  if (other !== '') {
    const flag = parseSeriesKey(other) === null ? '--metric, --item or --region' : `--series ${other}`;
    throw new ArgumentError('series', `"${other}" was given without a flag; use ${flag}`);
  }
  if (series === undefined && named.length === 0) throw noSelection();
  if (series !== undefined && named.length > 0)
    throw badArgument('series', `selects a whole series; omit --${named.join(', --')}`);
  await retrieveWanted(context, options, [series === undefined ? wantWords(options) : wantKey(series)]);
});

const noSelection = (other = '') =>
  new ArgumentError('series', `specify ${other}--series KEY, or --metric, --item and --region`);

async function retrieveWanted(
  context: ClientContext,
  options: DfOptions | PointsOptions,
  wanted: readonly WantedSeries[],
): Promise<void> {
  const format = outputFormat(context, options);
  const include_names = options.include_names === true || format === 'display' || undefined;
  const series = await chooseAll(context, wanted);
  const frame = await retrieveFrame(context, { ...options, include_names, series });
  await writeFrame(context, frame, { ...options, format });
}

function combineNames({ metric, item, region, ...options }: DfOptions): SeriesWords[] {
  if (metric === undefined && item === undefined && region === undefined) return [];
  const { partner_region, source, frequency, start_date, end_date } = options;
  let chosen: SeriesWords[] = [{ partner_region, source, frequency, start_date, end_date }];
  for (const [word, names] of Object.entries({ metric, item, region })) {
    if (names !== undefined)
      chosen = chosen.flatMap((one) => names.map((name) => ({ ...one, [word]: name })));
  }
  return chosen;
}

/** Finds the requested series. If some do not exist, warns about them and sets the exit code for partial data. */
async function chooseAll(context: ClientContext, wanted: readonly WantedSeries[]): Promise<FoundSeries[]> {
  const choices = await Promise.allSettled(wanted.map((one) => one.find(context)));
  const chosen: FoundSeries[] = [];
  const unmatched: string[] = [];
  for (const [at, choice] of choices.entries()) {
    if (choice.status === 'fulfilled') {
      chosen.push(choice.value);
      await remark(context, seriesTitle(choice.value));
    } else if (choice.reason instanceof NothingFoundError && wanted.length > 1) {
      unmatched.push(`${wanted[at]!.title}: ${choice.reason.message}`);
    } else throw choice.reason;
  }
  await warnOfAll(context, nameNotes(chosen));
  await warnOfAll(context, unmatched);
  if (unmatched.length > 0) context.exitCode = EXIT.partialData;
  if (chosen.length === 0) throw noSeriesError();
  return chosen;
}

const WORDS = SERIES_WORDS.map(({ word }) => word);

const NAME = v.union([TEXT, ID], isNot('a name or an id'));
const NAME_FIELDS: KnownKeys = { ...Object.fromEntries(WORDS.map((word) => [word, NAME])), ...WANTED_PERIOD };

/**
 * Reads a list of series from a JSON file, or from standard input if `file` is `-`. The list is an array of series as
 * `cropframe find --json` prints them, or of objects that give names in the fields `metric`, `item`, `region`,
 * `partner_region`, `source` and `frequency`. An entry's dates limit the points that are retrieved for it.
 * @throws ArgumentError if the file cannot be read; CropframeError, with the entry's position, if an entry is invalid
 */
export async function readSeriesList(
  file: string,
  { stdin, signal }: Pick<CommandIo, 'stdin' | 'signal'>,
): Promise<WantedSeries[]> {
  const name = file === '-' ? 'standard input' : file;
  const text = await (file === '-' ? readText(stdin, signal) : readFile(file, 'utf8')).catch(
    (error: unknown) => {
      throw fileFailure(error, { path: name, argument: 'file', to: 'read' });
    },
  );
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (cause) {
    const message = `${name} is not JSON; pass a JSON array of series, as "cropframe find --json" prints it`;
    throw new ArgumentError('file', message, { cause });
  }
  if (!Array.isArray(list) || list.length === 0)
    throw new ArgumentError('file', `${name} is not a list of series; it must be a non-empty JSON array`);
  return list.map((entry, at) => {
    try {
      return readListedSeries(entry);
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      throw new CropframeError('argument', `${name}, entry ${at + 1}: ${error.message}`, { cause: error });
    }
  });
}

function readListedSeries(entry: unknown): WantedSeries {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw new ArgumentError('file', GIVE);
  const hasIds = SERIES_KEY_FIELDS.some((field) => field in entry);
  checkOptions(entry, hasIds ? SERIES : NAME_FIELDS, 'a series');
  const fields: Partial<ExplainedSeries & SeriesWords> = entry;
  if (!hasIds) {
    if (!WORDS.some((word) => word in fields)) throw new ArgumentError('file', GIVE);
    const words = Object.entries(fields).map(([name, value]) => [name, String(value)]);
    return wantWords(Object.fromEntries(words));
  }
  const series = { partner_region_id: 0, ...fields, ...selectWantedDates(fields) } as DataSeries;
  if (!SERIES_KEY_FIELDS.every((field) => Number.isSafeInteger(series[field])))
    throw new ArgumentError('file', GIVE);
  return { title: seriesTitle(series), find: async () => series };
}

const GIVE = `specify ${SERIES_KEY_FIELDS.join(', ')}; or names in ${WORDS.join(', ')}`;

/** Returns the dates of an entry in a list of series, without dates that repeat the first or last date of the data. */
function selectWantedDates({ start_date, end_date, coverage }: Partial<ExplainedSeries>) {
  const unlessOf = (ms: number | undefined, date: string | null = null) =>
    date === null || parseTime(date, 'date') === ms ? undefined : date;
  return {
    start_date: unlessOf(coverage?.startMs, start_date),
    end_date: unlessOf(coverage?.endMs, end_date),
  };
}

type FrameRequest = Omit<DfOptions, 'metric' | 'item' | 'region' | 'series'> & {
  readonly series: readonly DataSeries[];
};

async function retrieveFrame(context: ClientContext, request: FrameRequest): Promise<Frame> {
  const { client } = context;
  const { series, unit, start_date, end_date, compress_format, names, allow_partial } = request;
  const { at_time, reporting_history, complete_history, show_available_date, include_names } = request;
  for (const one of series) client.addSingleDataSeries(one);
  const frame = await client.getDf({
    ...{ start_date, end_date, at_time, unit_id: unit },
    ...{ reporting_history, complete_history, show_available_date, include_names },
    ...{ compress_format, allow_partial, names: names === true ? 'short' : undefined },
    ...progressOptions(context),
  });
  await reportSeries(context, frame);
  if (frame.numRows === 0) throw new NothingFoundError(await explainNoPoints(context, request));
  if (at_time !== undefined) {
    const leftOut = await explainDayAlone(context, series.slice(0, SERIES_PER_NOTE), at_time);
    if (leftOut !== undefined) await warn(context, leftOut);
  }
  return frame;
}

/** The maximum number of series to check for figures that an `--at-time` without a time of day excludes. */
const SERIES_PER_NOTE = 20;

/** Explains why a frame has no rows: the period has no points, or none of them were available at the given time. */
async function explainNoPoints(
  call: Asking,
  { at_time, series: [first, ...others], store, host, ...request }: FrameRequest,
): Promise<string> {
  const period = periodText(request);
  if (at_time === undefined) return `there are no points${period}; choose another period`;
  const asked = store !== undefined ? ` --store ${store}` : host === undefined ? '' : ` --host ${host}`;
  const lists = 'lists the dates on which some became available';
  if (first === undefined || others.length > 0)
    return `no points${period} were available on ${at_time}; "cropframe vintages${asked}" ${lists}`;
  const { metric_id, item_id, region_id, source_id, source_name } = first;
  const which = `--metric ${metric_id} --item ${item_id} --region ${region_id}`;
  return (
    `no points of ${source_name ?? `source ${source_id}`}${period} were available on ${at_time}: ` +
    `${await explainNoneKnown(call, first, at_time)}; ` +
    `"cropframe vintages ${which} --source ${source_id}${asked}" ${lists}; "cropframe find ${which}${asked}" lists other sources for --source`
  );
}

/** Warns about failed series, unconverted units and dropped points. If any series failed, also sets the exit code. */
async function reportSeries(context: CommandContext, frame: Frame): Promise<void> {
  const report = readProvenance(frame)?.report ?? [];
  const failed = report.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0) context.exitCode = EXIT.partialData;
  const notes = report.map(({ series, unconverted_unit: unit, dropped_duplicates: count }) => [
    unit !== undefined &&
      `series ${seriesKeyText(series)} is not converted from ${unit}, because no --unit has the same dimension`,
    count !== undefined &&
      `series ${seriesKeyText(series)}: ${count} ${plural('point', count)} left out, because other points end on the same date; omit --wide to get all of them`,
  ]);
  await warnOfAll(context, [
    ...failed.map(({ series, reason }) => `series ${seriesKeyText(series)} failed: ${reason}`),
    ...notes.flat().filter((note) => note !== false),
  ]);
}
