import { dayPeriod, daysInMonth } from '../../model/calendar.js';
import { WORLD_REGION_ID } from '../../model/entity.js';
import { IngestError } from '../../model/errors.js';
import { calendarDay } from '../../model/time.js';
import { PLAIN_NUMBER, type RowAnswer } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { type DatasetJob, defineTables } from '../dataset.js';
import { ADDRESSES, FetchRequestError, inFolder, type PlannedFile, words } from '../fetching/requests.js';
import { readDelimited, type TextRecord, WHOLE_LINES } from '../reading/delimited.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { openInput } from '../reading/input-files.js';
import { remarksJson } from '../reading/row-values.js';
import { TableFields } from '../reading/table-plan.js';
import type { OpenedTable } from '../reading/tables.js';
import { rowKey } from '../reading/text-rows.js';
import { countryRegionId, STATE_IDS_BY_ABBREVIATION } from '../regions/ids.js';
import { type Locator, loadRegionLocator } from '../regions/locate.js';
import { pointRegion } from '../regions/names.js';
import type { Setting } from '../settings.js';
import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { readTable } from '../vocabulary/text-table.js';
import { unitId } from '../vocabulary/units.js';

const DATASET = 'ghcnd';

/** The setting for values that failed a quality check. */
export const FLAGGED: Setting = {
  words: ['null', 'keep'],
  default: 'null',
  description: 'whether values that failed a quality check become null or are kept',
};

const STATION_ID = /^[A-Z]{2}[A-Z0-9_-]{9}$/;
/** A line of a `.dly` file: station, year, month, element, and for 31 days a value and three flags. */
const DLY_LINE = /^[A-Z]{2}[A-Z0-9_-]{9}\d{6}[A-Z0-9]{4}/;
/** The beginning of a record of a file by year: station, date, element, value. */
const BY_YEAR_LINE = /^[A-Z]{2}[A-Z0-9_-]{9},\d{8},[A-Z0-9]{4},-?\d+/;
/** A line of `ghcnd-stations.txt`: id, latitude, longitude and elevation in fixed columns. */
const STATION_LINE =
  /^[A-Z]{2}[A-Z0-9_-]{9} [ -]{0,3}\d{1,2}\.\d{4} [ -]{0,4}\d{1,3}\.\d{4} [ -]{0,5}\d+\.\d/;

/** The columns of files by year, which have no header: the last is the time of the observation. */
const COLUMNS = ['station', 'date', 'element', 'value', 'measurement', 'quality', 'source', 'time'] as const;
/** Those of `.dly` files as rows of such files: the last is the fault of the row's line. */
const DLY_COLUMNS = [...COLUMNS, 'problem'] as const;

/**
 * NOAA GHCN-Daily: station files (`.dly`), files by year (CSV) and the station list (`ghcnd-stations.txt`), in any
 * order; without the list, stations have no name and no location. Values that failed a quality check are null, with the
 * check and the value in the metadata, unless the setting `flagged` keeps it. Days are those of the observers.
 */
export const ghcnd = defineTables<Stations>({
  name: DATASET,
  summary: 'NOAA GHCN-Daily: station files (.dly), files by year (.csv.gz), with ghcnd-stations.txt',
  sources: [SOURCES.ghcnDaily],
  frequency: 'daily',
  counts: 'values',
  forms: [
    {
      name: 'a .dly file',
      header: () => DLY_COLUMNS,
      records: readDays,
      joins: true,
      matches: (_, beginning) => DLY_LINE.test(beginning),
      plan: planDays,
    },
    {
      name: 'a file by year',
      quotes: false,
      header: () => COLUMNS,
      matches: (_, beginning) => BY_YEAR_LINE.test(beginning),
      plan: planDays,
    },
    {
      name: 'one with a header, as on S3',
      quotes: false,
      matches: (fields) => fields[0] === 'ID' && fields[3] === 'DATA_VALUE',
      plan: (table, job) => planDays({ ...table, header: COLUMNS }, job),
    },
    {
      name: 'a station list of GHCN-Daily',
      // It is read before all other files, unless there are none.
      matches: (_, beginning) => STATION_LINE.test(beginning),
      plan: ({ dataset, file }) => {
        throw new IngestError(dataset, `${file} is a station list; name it together with files of figures`);
      },
    },
  ],
  settings: { flagged: FLAGGED },
  fetch: { takes: 'ids of stations, or years, such as USC00130200', find: findStations },
  async prepare({ files, signal }, batch) {
    const { stations, lists } = await readStationLists(files, signal);
    const context = { locator: await loadRegionLocator(), batch };
    const regions = new Map<string, number>();
    let isNoted = false;
    const regionOf = (id: string): number => {
      // Without a list there are thousands.
      if (!isNoted && !stations.has(id) && !batch.isStored('regions', stationIdentity(id))) {
        isNoted = true;
        batch.addNote(
          `station ${id} is not in a station list, so its name and location are unknown; ` +
            'import ghcnd-stations.txt with the files to add them for all stations',
        );
      }
      return getOrCompute(regions, id, () => resolveStation(stations.get(id) ?? { id }, context));
    };
    const others = files.filter((file) => !lists.has(file));
    return { regionOf, files: others.length > 0 ? others : files };
  },
});

interface Stations {
  /** The region of a station by its id. */
  readonly regionOf: (id: string) => number;
}

/** Values of a line of a `.dly` file. */
const DAYS = 31;
const DAY_WIDTH = 8;
const FIRST_DAY = 21;
/** The value of a record without one. */
const MISSING = -9999;

/** The days of a `.dly` file as rows of a file by year. A line with a problem is of no use as a whole. */
async function* readDays(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextRecord> {
  for await (const { text = '', line } of readDelimited(chunks, WHOLE_LINES)) {
    const problem = problemOf(text);
    for (let day = 0; day < DAYS; day++) {
      const at = FIRST_DAY + day * DAY_WIDTH;
      const date = text.slice(11, 17) + String(day + 1).padStart(2, '0');
      const [value, measurement, quality] = [text.slice(at, at + 5).trim(), text[at + 5], text[at + 6]];
      const flags = [measurement?.trim() ?? '', quality?.trim() ?? '', '', ''];
      yield { fields: [text.slice(0, 11), date, text.slice(17, 21), value, ...flags, problem], line, text };
    }
  }
}

/** The fault of a line of a `.dly` file, which has the values of one element over one month; empty for none. */
function problemOf(line: string): string {
  if (!DLY_LINE.test(line)) return 'not a line of a .dly file';
  if (!WEATHER_ELEMENTS.has(line.slice(17, 21))) return '';
  const [year, month] = [Number(line.slice(11, 15)), Number(line.slice(15, 17))];
  if (month < 1 || month > 12) return `there is no month ${line.slice(15, 17)}`;
  const days = daysInMonth(year, month);
  for (let day = 0; day < DAYS; day++) {
    const parts = line.slice(FIRST_DAY + day * DAY_WIDTH, FIRST_DAY + day * DAY_WIDTH + 5);
    if (!/^ *-?\d+$/.test(parts)) return `the value of day ${day + 1} "${parts}" is not a whole number`;
    if (day >= days && Number(parts) !== MISSING) return `month ${month} of ${year} has no day ${day + 1}`;
  }
  return '';
}

/** Values that the store reads. */
const WHOLE_NUMBERS = { plain: '-?[0-9]{1,9}', except: [MISSING] };

/** How the rows of a file by year, or of a `.dly` file with its problems, become points. */
function planDays({ header }: OpenedTable, { regionOf, settings: { flagged } }: DatasetJob & Stations) {
  const fields = TableFields.named(DLY_COLUMNS, header);
  const { value: column, element, measurement, quality } = fields.at;
  return {
    keys: [
      fields.key(['problem'], ({ problem }) => {
        if (problem === '') return {};
        throw new RowError(problem);
      }),
      fields.key(['element'], ({ element }) => {
        const found = WEATHER_ELEMENTS.get(element);
        if (found === undefined) return { notRead: element };
        const { metricId, itemId, metricUnitId, partsPerUnit } = found;
        return { metric_id: metricId, item_id: itemId, unit_id: metricUnitId, divisor: partsPerUnit };
      }),
      rowKey({
        texts: [{ ofValue: 0, others: [element, measurement, quality] }],
        resolve([parts, code, measurement, quality]) {
          if (parts === PLAIN_NUMBER) return {};
          if (!/^-?\d{1,9}$/.test(parts!)) throw new RowError(`the value "${parts}" is not a whole number`);
          if (Number(parts) === MISSING) return { notRead: `missing values (${MISSING})` };
          const value = Number(parts) / WEATHER_ELEMENTS.get(code!.trim())!.partsPerUnit;
          const flags = { measurement: measurement!.trim(), quality: quality!.trim() };
          return applyQualityFlags(value, flags, flagged);
        },
      }),
      fields.key(['date'], ({ date }) => {
        const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(date) ?? [];
        const startMs = calendarDay(Number(year), Number(month), Number(day));
        if (startMs === null) throw new RowError(`the date "${date}" is not in the calendar`);
        return dayPeriod(startMs);
      }),
      fields.key(['station'], ({ station }) => ({ region_id: regionOf(station) })),
    ],
    values: [{ column, ...WHOLE_NUMBERS, whereEmpty: [measurement, quality], keys: [] }],
  };
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
  for (const file of files)
    texts: for await (const { name, chunks } of openInput(file, { dataset: DATASET, signal })) {
      for await (const { text = '', line } of readDelimited(chunks, WHOLE_LINES)) {
        if (STATION_LINE.test(text)) {
          stations.set(text.slice(0, 11), readStation(text));
          lists.add(file);
        } else if (!lists.has(file)) break texts;
        else if (text.trim() !== '') {
          const message = `${name}, line ${line}: not a line of a station list`;
          throw new IngestError(DATASET, message, { file: name, row: line });
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
    if (STATION_ID.test(id)) return inFolder(`${ADDRESSES.ghcndFolder}all/`, `${id}.dly`);
    if (/^(1[789]|20)\d\d$/.test(id)) return inFolder(`${ADDRESSES.ghcndFolder}by_year/`, `${id}.csv.gz`);
    throw new FetchRequestError(`"${word}" is neither the id of a station, such as USC00130200, nor a year`);
  });
  return [{ ...inFolder(ADDRESSES.ghcndFolder, 'ghcnd-stations.txt'), isCompanion: true }, ...files];
}

/**
 * The imported elements by GHCN-Daily's abbreviation; all others (weather types, times, gusts, soil) are skipped. The first unit
 * is that of GHCN-Daily, whose values are whole numbers of so many parts of it, and of Climate Data Online's files in metric
 * units; the second is that of its files in "standard" units (NOAA, readme of GHCN-Daily, section III).
 */
export const WEATHER_ELEMENTS = new Map(
  readTable(`
    TMAX | Temperature | Temperature max | °C | °F | 10
    TMIN | Temperature | Temperature min | °C | °F | 10
    TAVG | Temperature | Temperature mean | °C | °F | 10
    TOBS | Temperature | Temperature at observation | °C | °F | 10
    PRCP | Precipitation quantity | Precipitation | mm | in | 10
    SNOW | Snowfall quantity | Snowfall | mm | in | 1
    SNWD | Snow depth | Snow on the ground | mm | in | 1
    AWND | Wind speed | Wind | m/s | mph | 10
  `).map(([code, metric, item, metricUnit, standardUnit, parts]) => [
    code!,
    {
      metricId: metricId(metric!),
      itemId: itemId(item!),
      metricUnitId: unitId(metricUnit!),
      standardUnitId: unitId(standardUnit!),
      partsPerUnit: Number(parts),
    },
  ]),
);

/**
 * A value with its flags as JSON; a value that failed a check is null and moves to the JSON, unless such values are kept.
 * @param flags how it was measured: `T` for a trace; and the quality check that it failed, empty when it passed all
 */
export function applyQualityFlags(
  value: number,
  { measurement, quality }: Readonly<Record<'measurement' | 'quality', string>>,
  flagged: string | undefined,
): RowAnswer {
  if (quality === '' || flagged === 'keep') return { value, metadata: remarksJson({ measurement, quality }) };
  return { value: null, metadata: remarksJson({ measurement, quality, withheld: value }) };
}

/** A station of GHCN-Daily; unknown facts are absent. */
interface Station {
  /** Eleven characters, such as `USC00042319`. */
  readonly id: string;
  /** The name in the source: `DEATH VALLEY, CA US`. */
  readonly name?: string | undefined;
  /** In degrees; latitude and longitude are both known or both null. */
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  /** Postal abbreviation of a US state. */
  readonly state?: string;
}

/** The means of `resolveStation`. */
interface StationContext {
  readonly locator: Locator;
  readonly batch: BatchBuilder;
}

/** The identity of a station in all data sets with stations of GHCN-Daily. @throws RowError when the id is not one */
function stationIdentity(id: string): string {
  if (!STATION_ID.test(id)) throw new RowError(`"${id}" is not a station of GHCN-Daily`);
  return `GHCND:${id}`;
}

/**
 * The region of a station, which it adds with the level "coordinate". It belongs to the county or country that contains
 * it; without coordinates to its state, the United States or the world. A station without coordinates never replaces
 * one in the store.
 * @throws RowError when the id is not one of a station
 */
export function resolveStation(
  { id, name = '', latitude = null, longitude = null, state = '' }: Station,
  { locator, batch }: StationContext,
): number {
  const identity = stationIdentity(id);
  if (latitude === null && batch.isStored('regions', identity)) return batch.idOf('regions', identity);
  const fallback =
    STATE_IDS_BY_ABBREVIATION.get(state) ?? (id.startsWith('US') ? countryRegionId(840) : WORLD_REGION_ID);
  const [place, ...within] = name.split(', ');
  const fields = {
    name: name || `Station ${id}`,
    definition: `Weather station ${id} of GHCN-Daily.`,
    latitude,
    longitude,
    aliases: [id, identity, ...(within.length === 0 ? [] : [place!])],
  };
  return batch.addNamedEntity('regions', identity, pointRegion(fields, locator, fallback));
}
