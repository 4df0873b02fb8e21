import type { SeriesKey } from '../../model/series.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import { KnownSeries } from '../batch/known-series.js';
import { pointToFill } from '../batch/new-points.js';
import { keepShape } from '../keep-shape.js';
import { CodeKeys } from '../reading/code-keys.js';
import type { WeatherElement } from '../weather/elements.js';
import type { DayRecords } from './day-records.js';

/** The value of a record without one. */
export const MISSING = -9999;

/** What records of one station and element have in common. */
interface PlainSeries {
  readonly series: KnownSeries;
  readonly element: WeatherElement;
}

/**
 * Adds the records that are as most are: of a station, an element and a day that earlier records had, with a value and without
 * flags. No strings are made of them, and nothing is resolved again.
 */
export class PlainDays {
  readonly #keys = new CodeKeys();
  readonly #known: PlainSeries[] = [];
  readonly #batch: BatchBuilder;
  readonly #days: ReadonlyMap<number, number>;
  readonly #point = pointToFill();
  /** The day of the point, as records have it. */
  #day = Number.NaN;

  /** @param days the days of earlier records, in UTC milliseconds, by their numbers */
  constructor(
    { batch, importedMs }: { batch: BatchBuilder; importedMs: number },
    days: ReadonlyMap<number, number>,
  ) {
    this.#batch = batch;
    this.#days = days;
    this.#point.availableMs = importedMs;
  }

  /** @returns whether the record was added; else it is read as records in general are */
  add(record: DayRecords): boolean {
    const number = this.#keys.find(record.codes, record.seriesBounds);
    if (number < 0 || !record.isEmpty(4) || !record.isEmpty(5)) return false;
    const parts = record.integer(3);
    if (Number.isNaN(parts) || parts === MISSING || !this.#findDay(record.integer(1))) return false;
    const { series, element } = this.#known[number]!;
    const point = this.#point;
    point.value = parts / element.partsPerUnit;
    point.unitId = element.metricUnitId;
    this.#batch.addTo(series.numberIn(this.#batch), point, record.line);
    return true;
  }

  /** Remembers the station and element of a record that became a point of the series `key`. */
  learn(record: DayRecords, element: WeatherElement, key: SeriesKey): void {
    const { codes, seriesBounds } = record;
    if (this.#keys.find(codes, seriesBounds) < 0 && this.#keys.add(codes, seriesBounds) >= 0)
      this.#known.push({ series: new KnownSeries(key), element });
  }

  /** Gives the point its day, where that is known. Neighbouring records nearly always have one. */
  #findDay(compact: number): boolean {
    if (compact === this.#day) return true;
    const ms = this.#days.get(compact);
    if (ms === undefined) return false;
    this.#day = compact;
    this.#point.startMs = ms;
    this.#point.endMs = ms;
    return true;
  }
}

keepShape(new PlainDays({ batch: new BatchBuilder(), importedMs: 0 }, new Map()));
