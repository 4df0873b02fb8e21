import type { CountedSeries, FacetPlan, FieldCounts } from '../plan.js';

/** Stands for the whole selection in place of a field. */
export const ALL_SERIES = -1;

interface Counts {
  readonly ids: number[];
  readonly series: number[];
  values: number;
  total: number;
}

/** The columns of counted values: the place of the field in the plan, an id, its series, the number of values, all series. */
type CountColumns = readonly [
  place: Int32Array,
  ids: Int32Array,
  series: Int32Array,
  values: Int32Array,
  total: Int32Array,
];

/** Gathers the counts of fields, and those of the whole selection, as they are read. */
export class CountedFields {
  readonly #byPlace = new Map<number, Counts>();

  add([place, ids, series, values, total]: CountColumns, length: number): void {
    for (let row = 0; row < length; row++) {
      const counts = this.#countsOf(place[row]!);
      counts.ids.push(ids[row]!);
      counts.series.push(series[row]!);
      counts.values = values[row]!;
      counts.total = total[row]!;
    }
  }

  take({ fields }: FacetPlan): CountedSeries {
    const counted = fields.map((field, at) => [field, fieldCounts(this.#countsOf(at))] as const);
    return { series: this.#countsOf(ALL_SERIES).total, fields: new Map(counted) };
  }

  #countsOf(place: number): Counts {
    const known = this.#byPlace.get(place);
    if (known !== undefined) return known;
    const counts: Counts = { ids: [], series: [], values: 0, total: 0 };
    this.#byPlace.set(place, counts);
    return counts;
  }
}

function fieldCounts({ ids, series, values, total }: Counts): FieldCounts {
  return { ids: Int32Array.from(ids), series: Int32Array.from(series), values, total };
}
