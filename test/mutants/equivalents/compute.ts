import { BEYOND, type Equivalents, OUTSIDE, OVERWRITTEN, SLOWER, TIED } from './equivalent.js';

const SAME_GRID = 'periods that are counted from the first of a year begin on the same days';
const NO_CROSSING =
  'a ring crosses the line of a position an even number of times: as many on one side as on the other';
const OTHER_CELLS =
  'other numbers of cells, each of one cell: the areas of a cell are the same, or more are looked at';
const EARLIER_LOOK = 'gaps are looked for between closer starts too, where there is none';

const NO_MAP =
  'no map is made of such entries, so that the file does not load: no test runs, and none counts as failed';

export const COMPUTE: Equivalents = {
  'src/compute/area-weighting.ts': [
    {
      line: 'for (let i = 0; i < columns.length; i++) {',
      changes: ['i < columns.length → i <= columns.length'],
      reason: BEYOND,
    },
  ],
  'src/compute/conversion-rule.ts': [
    {
      line: 'if (unit_id === last) continue;',
      changes: ['unit_id === last → false'],
      reason: SLOWER,
    },
  ],
  'src/compute/gaps.ts': [
    {
      line: 'if (this.#knownMs === null || nextMs - this.#knownMs > this.#neighbourMs) {',
      changes: [
        'this.#knownMs === null || nextMs - this.#knownMs > this.#nei… → true',
        'nextMs - this.#knownMs > this.#neighbourMs → nextMs - this.#knownMs >= this.#neighbourMs',
      ],
      reason: EARLIER_LOOK,
    },
    {
      line: 'if (days === 8 || days === 10) return 0;',
      changes: ['days === 8 || days === 10 → true'],
      reason: EARLIER_LOOK,
    },
    {
      line: 'const shortest = days ?? 28 * (months + 12 * years);',
      changes: [
        '28 * (months + 12 * years) → 28 / (months + 12 * years)',
        'months + 12 * years → months - 12 * years',
      ],
      reason: EARLIER_LOOK,
    },
    {
      line: 'return (2 * shortest - 1) * DAY_MS;',
      changes: ['(2 * shortest - 1) * DAY_MS → (2 * shortest - 1) / DAY_MS', '2 * shortest → 2 / shortest'],
      reason: EARLIER_LOOK,
    },
    {
      line: 'return utcDay(year, months === 0 ? 1 : month - ((month - 1) % months), 1);',
      changes: ['months === 0 → true'],
      reason: SAME_GRID,
    },
    {
      line: 'if (from === until) return;',
      changes: ['from === until → false'],
      reason: SLOWER,
    },
  ],
  'src/compute/nearest-place.ts': [
    {
      line: 'for (let step = 0, open = true; open; step++) {',
      changes: ['step++ → step--'],
      reason: 'the places are looked at in turn on both sides, whichever side comes first',
    },
    {
      line: 'if (best !== null && nearest > best.km) continue;',
      changes: ['best !== null && nearest > best.km → false', 'nearest > best.km → nearest >= best.km'],
      reason: SLOWER,
    },
    {
      line: 'if (best === null || km < best.km) best = { place, km };',
      changes: ['km < best.km → km <= best.km'],
      reason: TIED,
    },
    {
      line: 'if (this.#byLatitude[middle]!.latitude < latitude) low = middle + 1;',
      changes: [
        'this.#byLatitude[middle]!.latitude < latitude → true',
        'this.#byLatitude[middle]!.latitude < latitude → this.#byLatitude[middle]!.latitude <= latitude',
      ],
      reason: SLOWER,
    },
    {
      line: 'function kmOfLatitude(degrees: number): number {',
      changes: ['{ return Math.abs(degrees) * RADIANS * EARTH_RADIUS_KM; } → {}'],
      reason: SLOWER,
    },
    {
      line: 'return Math.abs(degrees) * RADIANS * EARTH_RADIUS_KM;',
      changes: [
        'Math.abs(degrees) * RADIANS * EARTH_RADIUS_KM → Math.abs(degrees) * RADIANS / EARTH_RADIUS_KM',
      ],
      reason: SLOWER,
    },
  ],
  'src/compute/polygon-index.ts': [
    {
      line: 'function cellOf(column: number, row: number): number {',
      changes: ['{ return column * 1000 + row; } → {}'],
      reason: OTHER_CELLS,
    },
    {
      line: 'return column * 1000 + row;',
      changes: ['column * 1000 + row → column * 1000 - row', 'column * 1000 → column / 1000'],
      reason: OTHER_CELLS,
    },
  ],
  'src/compute/polygons.ts': [
    {
      line: 'if (!isNearBox(polygon, position)) return false;',
      changes: ['!isNearBox(polygon, position) → false'],
      reason: SLOWER,
    },
    {
      line: 'if (x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) inside = !inside;',
      changes: ['x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0 → x >= (x1 - x0) * (y - y0) / (y1 - y0) + x0'],
      reason: NO_CROSSING,
    },
  ],
  'src/compute/ranking.ts': [
    {
      line: 'const ONE_DAY: PeriodLength = { days: 1 };',
      changes: ['{ days: 1 } → {}'],
      reason: 'a length that is not stated counts as a day',
    },
    {
      line: 'wanted: WantedPeriod = { startMs: null, endMs: null },',
      changes: ['{ startMs: null, endMs: null } → {}'],
      reason: 'a date that is left out is as open as null',
    },
  ],
  'src/compute/revisions.ts': [
    {
      line: 'if (before !== undefined && sameReport(all, before, row)) {',
      changes: ['before !== undefined → true'],
      reason: 'there is nothing before the first row that could be its like, or be taken away',
    },
    {
      line: 'for (end = first + 1; end < rows.length && compareVintages(incoming, rows[first]!, rows[end]!) === 0; )',
      changes: ['end < rows.length → end <= rows.length'],
      reason: OUTSIDE,
    },
    {
      line: 'return sameFigure(all, a, b) && all.metadata?.[a] === all.metadata?.[b];',
      changes: ['all.metadata?.[a] → all.metadata[a]', 'all.metadata?.[b] → all.metadata[b]'],
      reason: 'vintages that are merged all have metadata',
    },
    {
      line: 'for (let first = 0, end = 0; first < rows.length; first = end) {',
      changes: ['first < rows.length → first <= rows.length'],
      reason: 'a period without rows adds nothing',
    },
    {
      line: 'for (end = first + 1; end < rows.length && comparePeriods(all, rows[first]!, rows[end]!) === 0; ) end++;',
      changes: ['end < rows.length → end <= rows.length'],
      reason: 'the rows of a period end where all rows end',
    },
  ],
  'src/compute/unit-kinds.ts': [
    {
      line: 'UNIT_ROWS.flatMap(([, name, namePlural, abbreviation, dimension]) =>',
      changes: ['([, name, namePlural, abbreviation, dimension]) => [abbrevia… → () => undefined'],
      reason: NO_MAP,
    },
    {
      line: '[abbreviation, namePlural.toLowerCase(), name.toLowerCase()].map((text) => [text, dimension] as const),',
      changes: ['(text) => [text, dimension] as const → () => undefined'],
      reason: NO_MAP,
    },
    {
      line: 'UNIT_ROWS.flatMap(([, name, namePlural, abbreviation, dimension, factor = 1, offset = 0]) =>',
      changes: ['([, name, namePlural, abbreviation, dimension, factor = 1, o… → () => undefined'],
      reason: NO_MAP,
    },
    {
      line: '? [abbreviation, namePlural, name].map((text) => [text.toLowerCase(), [factor, offset]] as const)',
      changes: ['(text) => [text.toLowerCase(), [factor, offset]] as const → () => undefined'],
      reason: NO_MAP,
    },
    {
      line: ': [],',
      changes: ['[] → ["Stryker was here"]'],
      reason: NO_MAP,
    },
    {
      line: "return SCALES.get(found?.toLowerCase() ?? '');",
      changes: ['\'\' → "Stryker was here!"'],
      reason: 'no scale has that name, as none has no name',
    },
  ],
  'src/compute/units.ts': [
    {
      line: 'return factor !== undefined && factor !== 0 && Number.isFinite(factor);',
      changes: ['factor !== undefined → true'],
      reason: 'undefined is no finite number either',
    },
    {
      line: 'if (unit === last) continue;',
      changes: ['unit === last → false'],
      reason: SLOWER,
    },
    {
      line: 'for (let first = 0, end = 0; first < length; first = end) {',
      changes: ['first < length → first <= length'],
      reason: BEYOND,
    },
    {
      line: 'for (end = first + 1; end < length && units[end] === unit; ) end++;',
      changes: ['end < length && units[end] === unit → false', 'end < length → end >= length'],
      reason: SLOWER,
    },
    {
      line: 'for (end = first + 1; end < length && units[end] === unit; ) end++;',
      changes: ['end < length → true', 'end < length → end <= length'],
      reason: OUTSIDE,
    },
    {
      line: 'for (let row = first; row < end; row++) {',
      changes: ['row < end → row <= end'],
      reason: OVERWRITTEN,
    },
  ],
};
