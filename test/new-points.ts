import type { PointRow } from '../src/columns/packed-points.js';
import type { VintageColumns } from '../src/columns/point-columns.js';
import { type SeriesKey, seriesKeyOf, seriesKeyText } from '../src/model/series.js';
import type { NewPoints } from '../src/store/store.js';
import { columnsOf, type SeriesRow } from './columns/rows.js';

/** One vintage of one value. */
interface NewPoint extends PointRow {
  readonly availableMs: number;
}

/** Collects points row by row, and returns them as the columns of a store, in order of arrival. */
export class NewPointsBuilder {
  #series = new Map<string, { key: SeriesKey; position: number }>();
  #rows: SeriesRow[] = [];

  /** Adds a point. Neither key nor point are kept: a caller may change them and add the next one. */
  add(key: SeriesKey, point: NewPoint): void {
    const text = seriesKeyText(key);
    const known = this.#series.get(text) ?? { key: seriesKeyOf(key), position: this.#series.size };
    this.#series.set(text, known);
    this.#rows.push({ ...point, series: known.position });
  }

  take(): NewPoints {
    const [series, rows] = [[...this.#series.values()].map(({ key }) => key), this.#rows];
    [this.#series, this.#rows] = [new Map(), []];
    return { series, columns: columnsOf(rows) as VintageColumns };
  }
}
