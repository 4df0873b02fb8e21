import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isValid } from '../../src/columns/bitmap.js';
import { unpackLists } from '../../src/columns/packed-points.js';
import { defineDataset } from '../../src/ingest/document/define-dataset.js';
import { dryRun } from '../../src/ingest/dry-run.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { Importer, ImportOptions } from '../../src/ingest/importer.js';
import { loadRegionTree } from '../../src/ingest/regions/tree.js';
import { UNITS } from '../../src/ingest/vocabulary/units.js';
import type { SeriesKey } from '../../src/model/series.js';
import { DAY_MS } from '../../src/model/time.js';
import { openStore } from '../../src/store/open.js';
import type { PointPlan } from '../../src/store/plan.js';
import type { Store } from '../../src/store/store.js';
import { countRuns } from '../endurance.js';
import { allSeries, EVERYTHING } from '../store/conformance/sample-data.js';
import { temporaryFiles } from '../temporary-files.js';

const { file } = temporaryFiles();

/** A vintage by names, with times in UTC milliseconds. */
interface Figure {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly value: number | null;
  readonly unit: string;
  readonly reported: number | null;
  readonly available: number;
  readonly remark: string | null;
}

/** The texts of a row. Each document writes those that it reads. */
interface Row {
  readonly region: string;
  readonly item: string;
  readonly year: string;
  readonly unit: string;
  readonly reported: string;
  readonly available: string;
  readonly flag: string;
  readonly cells: readonly string[];
}

/** A document, how a row of it is written, and what it means: a figure for each cell, or what is not a figure. */
interface Described {
  readonly keys: object;
  readonly name: string;
  readonly write: (rows: readonly Row[]) => string;
  readonly read: (row: Row, importedMs: number) => readonly (Figure | 'rejected' | 'not read')[];
}

const day = (text: string): number => Date.parse(text);
const table = (lines: readonly (readonly string[])[], delimiter = ',', end = '\n'): string =>
  lines.map((cells) => cells.join(delimiter) + end).join('');

/** The values of cells. -9999 is a usual mark of missing values, and no amount is negative. */
const VALUES: Readonly<Record<string, number | null | 'rejected' | 'not read'>> = {
  ...{ 1: 1, 2: 2, '2.0': 2, 1.5: 1.5, 0: 0, ' 3 ': 3 },
  ...{ NA: null, '-9999': null, '-5': 'rejected', x: 'rejected', '': 'not read' },
};

/** If a cell of a row is rejected, so are the others. */
const rowOf = <Cell>(cells: readonly (Cell | 'rejected')[]) =>
  cells.includes('rejected') ? cells.map(() => 'rejected' as const) : cells;

const yearOf = (text: string) =>
  /^\d{4}$/.test(text) ? { start: day(`${text}-01-01`), end: day(`${text}-12-31`) } : 'rejected';

const SHARED = { metric: { name: 'Production' }, missing: ['NA'] };
const REGION = { column: 'region', code: 'usps' };

/** Points of a year, whose dates and units are columns. Some rows are skipped, and an empty cell with a flag is null. */
const long: Described = {
  name: 'long.csv',
  keys: {
    ...SHARED,
    name: 'long',
    source: { name: 'Agency' },
    region: REGION,
    item: 'item',
    unit: { column: 'unit', names: { T: 't', KT: 'kt' } },
    values: 'value',
    start_date: { column: 'year', format: 'YYYY' },
    reporting_date: { column: 'reported', format: ['YYYY-MM-DD', 'YYYY-MM'] },
    available_date: 'available',
    flag: 'flag',
    skip: { region: 'OH' },
  },
  write: (rows) =>
    table([
      ['region', 'item', 'year', 'unit', 'reported', 'available', 'flag', 'value'],
      ...rows.map((one) => [
        ...[one.region, one.item, one.year, one.unit, one.reported, one.available, one.flag],
        one.cells[0]!,
      ]),
    ]),
  read({ region, item, year, unit, reported, available, flag, cells }, importedMs) {
    if (region === 'OH') return ['not read'];
    const period = yearOf(year);
    const known = VALUES[cells[0]!]!;
    const value = known === 'not read' && flag !== '' ? null : known;
    const availableMs = available === '' ? importedMs : day(available);
    if (period === 'rejected' || value === 'rejected' || region === 'XX') return ['rejected'];
    if (availableMs > importedMs + DAY_MS || unit === '?') return ['rejected'];
    if (value === 'not read') return [value];
    return [
      {
        key: `${item} ${region} Agency annual`,
        ...period,
        value,
        unit: unit === 'T' ? 't' : 'kt',
        reported: reported === '' ? null : day(reported === '2001-05' ? '2001-05-31' : reported),
        available: Math.min(availableMs, importedMs),
        remark: flag === '' ? null : JSON.stringify({ flag }),
      },
    ];
  },
};

/** Points of a year with a value column for each item, two of them for one item, in a file that needs rewriting. */
const items: Described = {
  name: 'items.csv',
  keys: {
    ...SHARED,
    name: 'items',
    source: { name: 'Agency' },
    region: REGION,
    delimiter: ';',
    decimal: ',',
    start_date: { column: 'year', format: 'YYYY' },
    available_date: { after: 'end_date', days: 2, time: '08:30', zone: 'America/New_York' },
    values: [
      { column: 'corn', item: { name: 'Corn' }, unit: { name: 't' } },
      { column: 'beans', item: { name: 'Soybeans' }, unit: { name: 'kt' }, divide_by: 10 },
      { column: 'maize', item: { name: 'Corn' }, unit: { name: 't' } },
    ],
  },
  write: (rows) =>
    table(
      [
        ['region', 'year', 'corn', 'beans', 'maize'],
        ...rows.map(({ region, year, cells }) => [
          ...[region, `"${year}" `],
          ...cells.map((cell) => cell.replace('.', ',')),
        ]),
      ],
      ';',
    ),
  read({ region, year, cells }, importedMs) {
    const period = yearOf(year);
    return rowOf(
      cells.map((cell, i) => {
        const value = VALUES[cell]!;
        if (period === 'rejected' || value === 'rejected' || region === 'XX') return 'rejected';
        if (value === 'not read') return value;
        return {
          key: `${i === 1 ? 'Soybeans' : 'Corn'} ${region} Agency annual`,
          ...period,
          value: value === null ? null : i === 1 ? value / 10 : value,
          unit: i === 1 ? 'kt' : 't',
          reported: null,
          // 08:30 in New York in winter.
          available: Math.min(period.end + 2 * DAY_MS + 13.5 * 3_600_000, importedMs),
          remark: null,
        };
      }),
    );
  },
};

const MONTHS = ['2000-01', '2000-02', '2001-01'];

/** Points of months, whose names are columns of JSON records, and which are reported 40 days later. */
const months: Described = {
  name: 'months.json',
  keys: {
    ...SHARED,
    name: 'months',
    source: { name: 'Office' },
    region: REGION,
    item: { column: 'item', define: {} },
    unit: { name: 't' },
    start_date: { header: 'YYYY-MM' },
    reporting_date: { after: 'end_date', days: 40 },
  },
  write: (rows) =>
    JSON.stringify(
      rows.map(({ region, item, cells }) => ({
        ...{ region, item },
        ...Object.fromEntries(MONTHS.map((month, i) => [month, cells[i]!])),
      })),
    ),
  read: ({ region, item, cells }, importedMs) =>
    rowOf(
      cells.map((cell, i) => {
        const value = VALUES[cell]!;
        const [year, month] = MONTHS[i]!.split('-').map(Number) as [number, number];
        const end = Date.UTC(year, month, 0);
        if (value === 'rejected' || region === 'XX') return 'rejected';
        if (value === 'not read') return value;
        return {
          key: `${item} ${region} Office monthly`,
          ...{ start: Date.UTC(year, month - 1), end, value, unit: 't' },
          ...{ reported: end + 40 * DAY_MS, available: importedMs, remark: null },
        };
      }),
    ),
};

const DOCUMENTS = [long, items, months];

const reportOf = ({ key, start, end, reported }: Figure) => `${key} ${start} ${end} ${reported}`;
const periodOf = ({ key, start, end }: Figure) => `${key} ${start} ${end}`;
const sameFigure = (a: Figure, b: Figure) => a.value === b.value && a.unit === b.unit;
const sameContent = (a: Figure, b: Figure) => sameFigure(a, b) && a.remark === b.remark;

function groupBy(figures: readonly Figure[], nameOf: (figure: Figure) => string): Figure[][] {
  const groups = new Map<string, Figure[]>();
  for (const one of figures) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
  return [...groups.values()];
}

/** The figures of one import: the last of equal ones, and none that contradict each other. */
function settle(figures: readonly Figure[]) {
  const groups = groupBy(figures, (one) => `${reportOf(one)} ${one.available}`);
  const [alike, contradictory] = [true, false].map((wanted) =>
    groups.filter((group) => group.every((one) => sameFigure(one, group[0]!)) === wanted),
  ) as [Figure[][], Figure[][]];
  const settled = alike.map((group) => group.at(-1)!);
  return {
    settled,
    duplicates: alike.flat().length - settled.length,
    conflicts: contradictory.flat().length,
  };
}

/** The new vintages of an import, by the rules of `docs/revisions.md`. Stored vintages never change. */
function newVintages(stored: readonly Figure[], settled: readonly Figure[], importedMs: number): Figure[] {
  const byDate = (a: Figure, b: Figure) => a.available - b.available;
  return settled.flatMap((figure) => {
    const isOfReport = (one: Figure) => reportOf(one) === reportOf(figure);
    const [held, given] = [stored, settled].map((all) => all.filter(isOfReport).sort(byDate));
    const same = held!.find(({ available }) => available === figure.available);
    if (same === undefined) {
      const before = [...held!, ...given!].sort(byDate).findLast((one) => one.available < figure.available);
      const isRepeated = before !== undefined && held!.includes(before) && sameContent(before, figure);
      return isRepeated && figure.available === importedMs ? [] : [figure];
    }
    // A correction, which is available from its import on.
    const newest = held!.at(-1)!;
    const isOld = figure.reported === null && sameContent(figure, same);
    if (figure !== given!.at(-1) || isOld || sameContent(figure, newest)) return [];
    return [{ ...figure, available: Math.max(importedMs, newest.available + 1) }];
  });
}

type Choice = Pick<PointPlan, 'history' | 'atMs'>;

/** The latest vintage of each period or report, of those that were available. */
function choose(stored: readonly Figure[], { history, atMs }: Choice): Figure[] {
  const existing = stored.filter(({ available }) => atMs === null || available <= atMs);
  if (history === 'complete') return existing;
  const order = ({ reported, available }: Figure) =>
    [reported ?? Number.NEGATIVE_INFINITY, available] as const;
  return groupBy(existing, history === 'latest' ? periodOf : reportOf).map(
    (group) => group.sort((a, b) => order(a)[0] - order(b)[0] || order(a)[1] - order(b)[1]).at(-1)!,
  );
}

/** Reads figures by choice, with the same names in each. */
async function readFigures(store: Store, choices: readonly Choice[]): Promise<Figure[][]> {
  const series = await allSeries(store);
  const namesOf = async (type: 'items' | 'sources' | 'frequencies', idOf: (key: SeriesKey) => number) => {
    const found = await store.names(type, series.map(idOf));
    return new Map(found.map(({ id, name }) => [id, name]));
  };
  const items = await namesOf('items', ({ item_id }) => item_id);
  const sources = await namesOf('sources', ({ source_id }) => source_id);
  const frequencies = await namesOf('frequencies', ({ frequency_id }) => frequency_id);
  const keys = series.map(({ item_id, region_id, source_id, frequency_id }) =>
    [items.get(item_id), CODES.get(region_id), sources.get(source_id), frequencies.get(frequency_id)].join(
      ' ',
    ),
  );
  const figures: Figure[][] = [];
  for (const choice of choices) {
    const found: Figure[] = [];
    for await (const columns of unpackLists(store.points({ ...EVERYTHING, ...choice, series })))
      for (let i = 0; i < columns.length; i++)
        found.push({
          key: keys[columns.series[i]!]!,
          start: Number(columns.start_date[i]),
          end: Number(columns.end_date[i]),
          value: isValid(columns.value_valid, i) ? columns.value[i]! : null,
          unit: UNIT_NAMES.get(columns.unit_id[i]!)!,
          reported: isValid(columns.reporting_valid, i) ? Number(columns.reporting_date[i]) : null,
          available: Number(columns.available_date![i]),
          remark: columns.metadata![i]!,
        });
    figures.push(found);
  }
  return figures;
}

const UNIT_NAMES = new Map(UNITS.map(({ id, abbreviation }) => [id, abbreviation]));
const CODES = new Map([
  [10_019, 'IA'],
  [10_020, 'KS'],
  [10_039, 'OH'],
]);

/** Adds the regions of the rows in place of all regions of the package, which takes longer than the import. */
const withFewRegions = (importer: Importer): Importer => ({
  ...importer,
  async *read(input) {
    const { byId } = await loadRegionTree();
    const regions = [0, ...CODES.keys()].map((id) => ({ ...byId.get(id)!, belongsTo: [] }));
    yield { entities: { regions } };
    for await (const batch of importer.read(input)) yield { ...batch, regionFile: undefined };
  },
});

const sorted = (figures: readonly Figure[]) =>
  figures
    .map(({ key, start, end, value, unit, reported, available, remark }) =>
      JSON.stringify([key, start, end, value, unit, reported, available, remark]),
    )
    .sort();

const pick = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);
const ROW: fc.Arbitrary<Row> = fc.record({
  region: pick('IA', 'IA', 'KS', 'KS', 'OH', 'XX'),
  item: pick('Corn', 'Soybeans'),
  year: pick('2000', '2000', '2001', 'last'),
  unit: pick('T', 'T', 'KT', '?'),
  reported: pick('', '2001-01-10', '2001-05'),
  available: pick('', '2001-02-01', '2003-01-01T23:00:00-05:00', '2040-01-01'),
  flag: pick('', '', 'e'),
  cells: fc.array(pick(...Object.keys(VALUES)), { minLength: 3, maxLength: 3 }),
});

/** An import: its document, the rows of its files, and the milliseconds since the one before. */
const IMPORT = fc.record({
  described: pick(...DOCUMENTS),
  files: fc.array(fc.array(ROW, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 2 }),
  /** Whether the files of the first import come again. */
  again: fc.boolean(),
  gap: pick(0, 1, 5 * DAY_MS + 1),
  history: pick('latest' as const, 'reporting' as const),
  at: fc.nat(),
});

test('any imports leave what their rows say, as of any time, and account for each of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(IMPORT, { minLength: 2, maxLength: 4 }), async (imports) => {
      const store = await openStore(':memory:');
      let stored: Figure[] = [];
      let importedMs = day('2020-01-01');
      try {
        for (const { gap, history, at, again, ...own } of imports) {
          const { described, files: tables } = again ? imports[0]! : own;
          importedMs += gap;
          const outcomes = tables.flat().flatMap((row) => described.read(row, importedMs));
          const { settled, ...dropped } = settle(outcomes.filter((one) => typeof one === 'object'));
          const added = newVintages(stored, settled, importedMs);
          const before = new Set(stored.map(periodOf));
          stored = [...stored, ...added];
          const account = {
            rows: outcomes.length,
            points: settled.filter(({ value }) => value !== null).length,
            nulls: settled.filter(({ value }) => value === null).length,
            ...dropped,
            rejectedRows: outcomes.filter((one) => one === 'rejected').length,
            notReadRows: outcomes.filter((one) => one === 'not read').length,
          };
          const options: ImportOptions = {
            files: tables.map((rows, i) => file(`${i}-${described.name}`, described.write(rows))),
            importedMs,
            maxConflicts: 1e6,
            maxRejectedShare: 1,
          };
          const importer = withFewRegions(defineDataset(described.keys));
          if (at % 8 === 0) expect(await dryRun(importer, { ...options, store })).toMatchObject(account);
          const version = await store.version();
          const ofNew = new Set(added.map(periodOf).filter((one) => !before.has(one))).size;
          expect(await importDataset(store, importer, options)).toMatchObject({
            ...account,
            added: added.length,
            revised: added.length - ofNew,
            unchanged: settled.length - added.length,
          });
          expect(await store.version()).not.toBe(version);
          const times = stored.flatMap(({ available }) => [available, available - 1]);
          const choices: Choice[] = [
            { history: 'complete', atMs: null },
            { history, atMs: null },
            { history, atMs: times.length === 0 ? null : times[at % times.length]! },
          ];
          const found = await readFigures(store, choices);
          expect(found.map(sorted)).toEqual(choices.map((choice) => sorted(choose(stored, choice))));
        }
        expect(await store.findFaults()).toEqual([]);
      } finally {
        await store.close();
      }
    }),
    { numRuns: countRuns({ quick: 1, all: 300 }) },
  );
});
