import { daysInMonth } from '../../model/calendar.js';
import { WORLD_REGION_ID } from '../../model/entity.js';
import { IngestError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import { calendarDay, DAY_MS, utcDay } from '../../model/time.js';
import { PLAIN_NUMBER } from '../../store/store.js';
import { BatchBuilder, RowError } from '../batch/batch-builder.js';
import { ADDRESSES, FetchRequestError, inFolder, type PlannedFile, words } from '../fetching/requests.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { type InputText, openInput } from '../reading/input-files.js';
import { readLineBlocks, splitLines } from '../reading/line-blocks.js';
import { describeFirstLine, peekText } from '../reading/peek.js';
import { type ReadingProgress, readTexts } from '../reading/tables.js';
import { type RowPlan, readTextRows, rowKey } from '../reading/text-rows.js';
import { readReferenceData } from '../reference-data.js';
import { loadRegionLocator } from '../regions/locate.js';
import { SOURCES } from '../vocabulary/sources.js';
import {
  applyQualityFlags,
  assertStationId,
  resolveStation,
  type Station,
  type StationContext,
  stationIdentity,
  WEATHER_ELEMENTS,
} from './stations.js';

const DATASET = 'ghcnd';

/** A line of a `.dly` file: station, year, month, element, and for 31 days a value and three flags. */
const DLY_LINE = /^[A-Z]{2}[A-Z0-9_-]{9}\d{6}[A-Z0-9]{4}/;
/** The beginning of a record of a file by year: station, date, element, value. */
const BY_YEAR_LINE = /^[A-Z]{2}[A-Z0-9_-]{9},\d{8},[A-Z0-9]{4},-?\d+/;
/** A line of `ghcnd-stations.txt`: id, latitude, longitude and elevation in fixed columns. */
const STATION_LINE =
  /^[A-Z]{2}[A-Z0-9_-]{9} [ -]{0,3}\d{1,2}\.\d{4} [ -]{0,4}\d{1,3}\.\d{4} [ -]{0,5}\d+\.\d/;

/**
 * NOAA GHCN-Daily: station files (`.dly`), files by year (CSV) and the station list (`ghcnd-stations.txt`), in any
 * order; without the list, stations have no name and no location. Values that failed a quality check are null, with the
 * check and the value in the metadata, unless `keepFlagged` is set. Days are those of the observers.
 */
export const ghcnd: Importer = {
  dataset: DATASET,
  summary: 'NOAA GHCN-Daily: station files (.dly), files by year (.csv.gz), with ghcnd-stations.txt',
  needsFiles: true,
  counts: 'values',
  recognises: (beginning) => [DLY_LINE, BY_YEAR_LINE, STATION_LINE].some((line) => line.test(beginning)),
  fetch: { takes: 'ids of stations, or years, such as USC00130200', find: findStations },
  read: readGhcnd,
};

/** What observations need beside their text. */
interface Observing extends StationContext {
  /** The region of a station by its id. */
  readonly regionOf: (id: string) => number;
  readonly importedMs: number;
  readonly keepFlagged: boolean;
  readonly progress: ReadingProgress;
  readonly signal: AbortSignal | undefined;
}

async function* readGhcnd(input: ImporterInput): AsyncGenerator<ImportBatch> {
  const { files, importedMs, settings, signal } = input;
  yield* readReferenceData([SOURCES.ghcnDaily]);
  const context = { locator: await loadRegionLocator(), batch: await BatchBuilder.create(input) };
  const { stations, lists } = await readStationLists(files, signal);
  const regionOf = stationRegions(stations, context);
  const keepFlagged = settings?.keepFlagged ?? false;
  const others = files.filter((file) => !lists.has(file));
  yield* readTexts({ dataset: DATASET, files: others, signal }, context.batch, (text, progress) =>
    readObservations(text, { ...context, regionOf, importedMs, keepFlagged, progress, signal }),
  );
}

async function* readObservations(
  { name, path, chunks: all }: InputText,
  job: Observing,
): AsyncGenerator<ImportBatch | undefined> {
  const { head, chunks } = await peekText(all);
  if (DLY_LINE.test(head)) return yield* readStationFile({ name, path, chunks }, job);
  if (BY_YEAR_LINE.test(head))
    return yield* readTextRows(
      { name, path, chunks },
      { form: YEAR_FORM, plan: planYear(job) },
      { ...job, dataset: DATASET },
    );
  const message = `${name} is not a .dly file, a file by year, or a station list of GHCN-Daily`;
  throw new IngestError(DATASET, `${message}: ${describeFirstLine(head)}`, { file: name, row: 1 });
}

async function* readStationFile({ name, chunks }: InputText, job: Observing): AsyncGenerator<undefined> {
  const { batch, progress } = job;
  for await (const block of readLineBlocks(chunks)) {
    for (const { text, line } of splitLines(block)) {
      if (text === '') continue;
      progress.rows++;
      batch.addRow({ file: name, line, values: DAYS, text: () => text }, (skip) => addMonth(text, skip, job));
      if (batch.isFull) yield undefined;
    }
  }
}

/** Values of a line of a `.dly` file. */
const DAYS = 31;
const DAY_WIDTH = 8;
const FIRST_DAY = 21;
/** The value of a record without one. */
const MISSING = -9999;
const MISSING_KIND = 'missing values (-9999)';

const COMMON = {
  partner_region_id: WORLD_REGION_ID,
  source_id: SOURCES.ghcnDaily.id,
  frequency_id: frequencyId('daily'),
};

/**
 * Adds a line of a `.dly` file: the values of one element over one month.
 * @throws RowError when the line is invalid
 */
function addMonth(
  line: string,
  skip: (kind: string) => void,
  { batch, regionOf, importedMs: availableMs, keepFlagged }: Observing,
): void {
  if (!DLY_LINE.test(line)) throw new RowError('not a line of a .dly file');
  const element = WEATHER_ELEMENTS.get(line.slice(17, 21));
  if (element === undefined) {
    batch.countNotRead(line.slice(17, 21), DAYS);
    return;
  }
  const { metricId: metric_id, itemId: item_id, metricUnitId: unitId, partsPerUnit } = element;
  const [year, month] = [Number(line.slice(11, 15)), Number(line.slice(15, 17))];
  if (month < 1 || month > 12) throw new RowError(`there is no month ${line.slice(15, 17)}`);
  const firstMs = utcDay(year, month, 1);
  const days = daysInMonth(year, month);
  for (let day = 0; day < DAYS; day++) {
    const at = FIRST_DAY + day * DAY_WIDTH;
    const parts = line.slice(at, at + 5);
    if (!/^ *-?\d+$/.test(parts))
      throw new RowError(`the value of day ${day + 1} "${parts}" is not a whole number`);
    if (Number(parts) === MISSING) {
      skip(MISSING_KIND);
      continue;
    }
    if (day >= days) throw new RowError(`month ${month} of ${year} has no day ${day + 1}`);
    const flags = { measurement: line.charAt(at + 5).trim(), quality: line.charAt(at + 6).trim() };
    const figure = applyQualityFlags(Number(parts) / partsPerUnit, flags, keepFlagged);
    const startMs = firstMs + day * DAY_MS;
    const key = { metric_id, item_id, region_id: regionOf(line.slice(0, 11)), ...COMMON };
    batch.addPoint(key, { startMs, endMs: startMs, ...figure, unitId, reportingMs: null, availableMs });
  }
}

/** Station, date, element, value, three flags and the time of the observation. */
const YEAR_FORM = { delimiter: ',', quotes: false, skip: 0, columns: 8 };
/** Values of files by year that the store reads. */
const WHOLE_NUMBERS = {
  plain: '-?[0-9]{1,9}',
  decimal: '.',
  thousands: '',
  except: [String(MISSING)],
} as const;

/** How the records of a file by year become points: station, date, element, value, measurement flag, quality flag. */
function planYear({ regionOf, importedMs, keepFlagged }: Observing): RowPlan {
  const element = rowKey({
    texts: [2],
    answers: ['metric_id', 'item_id', 'unit_id', 'divisor'],
    resolve([code]) {
      const found = WEATHER_ELEMENTS.get(code!);
      if (found === undefined) return { notRead: code! };
      const { metricId, itemId, metricUnitId, partsPerUnit } = found;
      return { metric_id: metricId, item_id: itemId, unit_id: metricUnitId, divisor: partsPerUnit };
    },
  });
  const value = rowKey({
    texts: [2, { ofValue: 0 }, 4, 5],
    answers: ['value', 'metadata'],
    resolve([code, parts, measurement, quality]) {
      if (parts === PLAIN_NUMBER) return {};
      if (!/^-?\d{1,9}$/.test(parts!)) throw new RowError(`the value "${parts}" is not a whole number`);
      if (Number(parts) === MISSING) return { notRead: MISSING_KIND };
      const flags = { measurement: measurement!.trim(), quality: quality!.trim() };
      return applyQualityFlags(Number(parts) / WEATHER_ELEMENTS.get(code!)!.partsPerUnit, flags, keepFlagged);
    },
  });
  const day = rowKey({
    texts: [1],
    answers: ['startMs', 'endMs'],
    resolve([text]) {
      const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text!) ?? [];
      const startMs = calendarDay(Number(year), Number(month), Number(day));
      if (startMs === null) throw new RowError(`the date "${text}" is not in the calendar`);
      return { startMs, endMs: startMs };
    },
  });
  const station = rowKey({
    texts: [0],
    answers: ['region_id'],
    resolve([id]) {
      assertStationId(id!);
      return { region_id: regionOf(id!) };
    },
  });
  return {
    keys: [element, value, day, station],
    values: [{ column: 3, ...WHOLE_NUMBERS, whereEmpty: [4, 5], keys: [] }],
    constants: { ...COMMON, availableMs: importedMs },
  };
}

/** Finds the regions of stations, and notes the first one that is in no list: without a list there are thousands. */
function stationRegions(
  stations: ReadonlyMap<string, Station>,
  context: StationContext,
): Observing['regionOf'] {
  const regions = new Map<string, number>();
  let hasUnlisted = false;
  const addRegion = (id: string): number => {
    const listed = stations.get(id);
    if (listed === undefined && !hasUnlisted && !context.batch.isStored('regions', stationIdentity(id))) {
      hasUnlisted = true;
      context.batch.addNote(
        `station ${id} is not in a station list, so its name and location are unknown; ` +
          'import ghcnd-stations.txt with the files to add them for all stations',
      );
    }
    return resolveStation(listed ?? { id, name: '', latitude: null, longitude: null, state: '' }, context);
  };
  return (id) => getOrCompute(regions, id, () => addRegion(id));
}

/**
 * Reads the station lists among the files before all other files, which need them (NOAA, readme of GHCN-Daily, section IV:
 * columns 1–11 id, 13–20 latitude, 22–30 longitude, 39–40 state, 42–71 name).
 * @throws IngestError that names the first invalid line
 */
async function readStationLists(
  files: readonly string[],
  signal: AbortSignal | undefined,
): Promise<{ stations: Map<string, Station>; lists: Set<string> }> {
  const stations = new Map<string, Station>();
  const lists = new Set<string>();
  for (const file of files) {
    for await (const text of openInput(file, { dataset: DATASET, signal })) {
      const { sample, chunks } = await peekText(text.chunks);
      if (!STATION_LINE.test(sample.split(/\r?\n/)[0]!)) break;
      lists.add(file);
      for await (const block of readLineBlocks(chunks))
        for (const { text: row, line } of splitLines(block)) {
          if (row.trim() === '') continue;
          if (!STATION_LINE.test(row)) {
            const message = `${text.name}, line ${line}: not a line of a station list`;
            throw new IngestError(DATASET, message, { file: text.name, row: line });
          }
          stations.set(row.slice(0, 11), readStation(row));
        }
    }
  }
  return { stations, lists };
}

function readStation(line: string): Station {
  return {
    id: line.slice(0, 11),
    name: line.slice(41, 71).trim(),
    latitude: Number(line.slice(12, 20)),
    longitude: Number(line.slice(21, 30)),
    state: line.slice(38, 40).trim(),
  };
}

/** Stations and files by year, with the list of stations: without it, stations would lose their names. */
function findStations(request: string): PlannedFile[] {
  const files = words(request).map((word): PlannedFile => {
    const id = word.toUpperCase();
    if (/^[A-Z]{2}[A-Z0-9_-]{9}$/.test(id)) return inFolder(`${ADDRESSES.ghcndFolder}all/`, `${id}.dly`);
    if (/^(1[789]|20)\d\d$/.test(id)) return inFolder(`${ADDRESSES.ghcndFolder}by_year/`, `${id}.csv.gz`);
    throw new FetchRequestError(`"${word}" is neither the id of a station, such as USC00130200, nor a year`);
  });
  return [{ ...inFolder(ADDRESSES.ghcndFolder, 'ghcnd-stations.txt'), isCompanion: true }, ...files];
}
