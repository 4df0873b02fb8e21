/** One year's value of a region; null where it is missing. */
export type YearValue = readonly [region: number, year: number, value: number | null];

/** The values of regions, a run for each row, as `weightsFromMeans` takes them. */
export function regionValues(rows: readonly YearValue[]) {
  return rows.map(([region, year, value]) => ({
    region,
    start_date: Float64Array.of(Date.UTC(year, 0, 1)),
    value: Float64Array.of(value ?? Number.NaN),
  }));
}
