import { daysInMonth } from '../../model/calendar.js';
import { WORLD_REGION_ID } from '../../model/entity.js';
import { frequencyId } from '../../model/frequency.js';
import { calendarDay, DAY_MS, utcDay } from '../../model/time.js';
import { PLAIN_NUMBER, type RowAnswer } from '../../store/store.js';
import { RowError } from '../batch/batch-builder.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { type RowPlan, rowKey } from '../reading/text-rows.js';
import { SOURCES } from '../vocabulary/sources.js';
import {
  applyQualityFlags,
  assertStationId,
  resolveStation,
  type Station,
  type StationContext,
  stationIdentity,
  WEATHER_ELEMENTS,
  type WeatherElement,
} from '../weather/ghcn.js';

const DAILY = frequencyId('daily');
/** The value of a record without one. */
const MISSING = -9999;
const MISSING_KIND = 'missing values (-9999)';
/** Values of by-year files that the store reads. */
const WHOLE_NUMBERS = {
  plain: '-?[0-9]{1,9}',
  decimal: '.',
  thousands: '',
  except: [String(MISSING)],
} as const;
/** Values of a line of a `.dly` file. */
export const DAYS = 31;
const DAY_WIDTH = 8;
const FIRST_DAY = 21;

/** A line of a `.dly` file: station, year, month, element, and for 31 days a value and three flags. */
export const DLY_LINE = /^[A-Z]{2}[A-Z0-9_-]{9}\d{6}[A-Z0-9]{4}/;
/** The beginning of a record of a by-year file: station, date, element, value. */
export const BY_YEAR_LINE = /^[A-Z]{2}[A-Z0-9_-]{9},\d{8},[A-Z0-9]{4},-?\d+/;

interface ObservationContext extends StationContext {
  readonly stations: ReadonlyMap<string, Station>;
  readonly importedMs: number;
  readonly keepFlagged: boolean;
}

/** Adds the observations of both forms as points, without missing values and elements that are not imported. */
export class Observations {
  readonly #regions = new Map<string, number>();
  #hasUnlisted = false;
  #lastStation = { id: '', region: Number.NaN };
  /** Filled for each point: a new object for each would take longer than reading the record. */
  readonly #key = {
    metric_id: 0,
    item_id: 0,
    region_id: 0,
    partner_region_id: 0,
    source_id: SOURCES.ghcnDaily.id,
    frequency_id: DAILY,
  };
  readonly #point = {
    startMs: 0,
    endMs: 0,
    value: null as number | null,
    unitId: 0,
    reportingMs: null,
    availableMs: 0,
    metadata: null as string | null,
  };

  readonly #context: ObservationContext;

  constructor(context: ObservationContext) {
    this.#context = context;
  }

  /**
   * Adds a line of a `.dly` file: the values of one element over one month.
   * @throws RowError when the line is invalid
   */
  addMonth(line: string, skip: (kind: string) => void): void {
    if (!DLY_LINE.test(line)) throw new RowError('not a line of a .dly file');
    const { batch } = this.#context;
    const element = WEATHER_ELEMENTS.get(line.slice(17, 21));
    if (element === undefined) {
      batch.countNotRead(line.slice(17, 21), DAYS);
      return;
    }
    const station = line.slice(0, 11);
    const year = Number(line.slice(11, 15));
    const month = Number(line.slice(15, 17));
    if (month < 1 || month > 12) throw new RowError(`there is no month ${line.slice(15, 17)}`);
    const firstMs = utcDay(year, month, 1);
    const days = daysInMonth(year, month);
    for (let day = 0; day < DAYS; day++) {
      const at = FIRST_DAY + day * DAY_WIDTH;
      const parts = parseWholeNumber(line.slice(at, at + 5), `value of day ${day + 1}`);
      if (parts === MISSING) {
        skip(MISSING_KIND);
        continue;
      }
      if (day >= days) throw new RowError(`month ${month} of ${year} has no day ${day + 1}`);
      this.#point.startMs = firstMs + day * DAY_MS;
      this.#setValue(element, parts, flagAt(line, at + 5), flagAt(line, at + 6));
      this.#add(station, element);
    }
  }

  /** How the records of a by-year file become points: station, date, element, value, measurement flag, quality flag. */
  get dayPlan(): RowPlan {
    const station = rowKey({
      texts: [0],
      answers: ['region_id'],
      resolve: ([id]) => {
        assertStationId(id!);
        return { region_id: this.#region(id!) };
      },
    });
    const element = rowKey({
      texts: [2],
      answers: ['metric_id', 'item_id', 'unit_id', 'divisor'],
      resolve: ([code]) => this.#answerElement(code!),
    });
    const value = rowKey({
      texts: [2, { ofValue: 0 }, 4, 5],
      answers: ['value', 'metadata'],
      resolve: ([code, parts, measurement, quality]) => {
        if (parts === PLAIN_NUMBER) return {};
        if (!/^-?\d{1,9}$/.test(parts!)) throw new RowError(`the value "${parts}" is not a whole number`);
        if (Number(parts) === MISSING) return { notRead: MISSING_KIND };
        this.#setValue(WEATHER_ELEMENTS.get(code!)!, Number(parts), measurement!.trim(), quality!.trim());
        const { value, metadata } = this.#point;
        return { value, metadata };
      },
    });
    const day = rowKey({
      texts: [1],
      answers: ['startMs', 'endMs'],
      resolve: ([text]) => {
        const startMs = parseCompactDate(text!);
        return { startMs, endMs: startMs };
      },
    });
    return {
      keys: [element, value, day, station],
      values: [{ column: 3, ...WHOLE_NUMBERS, whereEmpty: [4, 5], keys: [] }],
      constants: {
        partner_region_id: WORLD_REGION_ID,
        source_id: SOURCES.ghcnDaily.id,
        frequency_id: DAILY,
        availableMs: this.#context.importedMs,
      },
    };
  }

  #answerElement(code: string): RowAnswer {
    const element = WEATHER_ELEMENTS.get(code);
    if (element === undefined) return { notRead: code };
    const { metricId, itemId, metricUnitId, partsPerUnit } = element;
    return { metric_id: metricId, item_id: itemId, unit_id: metricUnitId, divisor: partsPerUnit };
  }

  /** @param parts in `partsPerUnit` of the element */
  #setValue(element: WeatherElement, parts: number, measurement: string, quality: string): void {
    const point = this.#point;
    point.value = parts / element.partsPerUnit;
    point.metadata = null;
    if (measurement === '' && quality === '') return;
    const { keepFlagged } = this.#context;
    Object.assign(point, applyQualityFlags(point.value, { measurement, quality }, keepFlagged));
  }

  /** Adds the point that is filled but for its series. */
  #add(station: string, element: WeatherElement): void {
    const { batch, importedMs } = this.#context;
    const key = this.#key;
    key.metric_id = element.metricId;
    key.item_id = element.itemId;
    key.region_id = this.#region(station);
    const point = this.#point;
    point.endMs = point.startMs;
    point.unitId = element.metricUnitId;
    point.availableMs = importedMs;
    batch.addPoint(key, point);
  }

  /** Notes the first unlisted station only: without a list there are thousands. */
  #noteUnlisted(id: string): void {
    if (this.#hasUnlisted || this.#context.batch.isStored('regions', stationIdentity(id))) return;
    this.#hasUnlisted = true;
    this.#context.batch.addNote(
      `station ${id} is not in a station list, so its name and location are unknown; ` +
        'import ghcnd-stations.txt with the files to add them for all stations',
    );
  }

  /** Neighbouring records often have one station. */
  #region(id: string): number {
    if (id !== this.#lastStation.id) this.#lastStation = this.#findStation(id);
    return this.#lastStation.region;
  }

  #findStation(id: string) {
    return { id, region: getOrCompute(this.#regions, id, () => this.#addRegion(id)) };
  }

  #addRegion(id: string): number {
    const listed = this.#context.stations.get(id);
    if (listed === undefined) this.#noteUnlisted(id);
    const unknown = { id, name: '', latitude: null, longitude: null, state: '' };
    return resolveStation(listed ?? unknown, this.#context);
  }
}

/** The flag at a position; empty for a blank or beyond the end of the line. */
function flagAt(line: string, at: number): string {
  return line.charAt(at).trim();
}

function parseWholeNumber(text: string, what: string): number {
  if (!/^ *-?\d+$/.test(text)) throw new RowError(`the ${what} "${text}" is not a whole number`);
  return Number(text);
}

function parseCompactDate(text: string): number {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  const ms = calendarDay(Number(year), Number(month), Number(day));
  if (ms === null) throw new RowError(`the date "${text}" is not in the calendar`);
  return ms;
}
