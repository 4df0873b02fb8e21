import fc from 'fast-check';
import { isValid } from '../../../src/columns/bitmap.js';
import { type PackedPoints, unpackPoints } from '../../../src/columns/packed-points.js';
import { decodeRuns } from '../../../src/contract/points/read-runs.js';
import { encodeRuns } from '../../../src/contract/points/run-frames.js';
import type { BlockSeries } from '../../../src/contract/series-blocks.js';
import { DAY_MS } from '../../../src/model/time.js';
import { runsOfRows } from '../../columns/rows.js';

/** So many series of an answer. */
export function seriesOf(count: number): BlockSeries[] {
  return Array.from({ length: count }, (_, i) => ({
    metric_id: 1,
    item_id: 2,
    region_id: i + 1,
    partner_region_id: 0,
    frequency_id: 9,
    source_id: 3,
    unit_id: i === 1 ? null : 4,
  }));
}

/** One point of a series, as a row. */
interface Row {
  readonly start: number;
  readonly end: number;
  readonly value: number | null;
  readonly unit: number;
  readonly reporting: number | null;
  readonly available: number;
  readonly metadata: string | null;
}

const TIMES = [0, 1, 30 * DAY_MS, 365.5 * DAY_MS, -DAY_MS, 1_700_000_000_001];

const anyRow: fc.Arbitrary<Row> = fc.record({
  start: fc.constantFrom(...TIMES),
  end: fc.constantFrom(...TIMES),
  value: fc.option(fc.double({ noNaN: true })),
  unit: fc.constantFrom(0, 4, 4, 20),
  reporting: fc.option(fc.constantFrom(...TIMES)),
  available: fc.constantFrom(0, 1_700_000_000_000),
  metadata: fc.option(fc.constantFrom('{}', '{"flag":"é"}', '')),
});

/** Series of points on a grid, of whole days, or of any dates, with what is constant and what varies. */
const anySeries: fc.Arbitrary<Row[]> = fc
  .tuple(
    fc.array(anyRow, { maxLength: 12 }),
    fc.constantFrom('grid', 'days', 'any'),
    fc.constantFrom('as start', 'after a week', 'any'),
    fc.subarray(['value', 'unit', 'reporting', 'available', 'metadata'] as const),
  )
  .map(([rows, dates, ends, constant]) =>
    rows.map((row, i) => {
      const start = dates === 'any' ? row.start : (dates === 'grid' ? 7 * i : i * i) * DAY_MS;
      const end = ends === 'any' ? row.end : start + (ends === 'as start' ? 0 : 6 * DAY_MS);
      const same = Object.fromEntries(constant.map((field) => [field, rows[0]![field]]));
      return { ...row, ...same, start, end };
    }),
  );

/** Lists of points of some series, in any number of lists, which may cut series. */
export const anyLists: fc.Arbitrary<{ count: number; lists: PackedPoints[][] }> = fc
  .tuple(fc.array(anySeries, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(60), { maxLength: 4 }))
  .map(([all, cuts]) => {
    const rows = all.flatMap((list, series) => list.map((row) => ({ ...row, series })));
    const bounds = [0, ...[...cuts].sort((a, b) => a - b), rows.length];
    const lists = bounds.slice(1).map((to, i) => packed(rows.slice(bounds[i], Math.max(to, bounds[i]!))));
    return { count: all.length, lists };
  });

function packed(rows: readonly (Row & { series: number })[]): PackedPoints[] {
  return runsOfRows(
    rows.map(({ start, end, unit, reporting, available, ...row }) => ({
      ...row,
      startMs: start,
      endMs: end,
      unitId: unit,
      reportingMs: reporting,
      availableMs: available,
    })),
  );
}

async function* each<Element>(list: Iterable<Element>): AsyncGenerator<Element, void, undefined> {
  yield* list;
}

/** A stream as one array of bytes. */
export async function encoded(
  series: readonly BlockSeries[],
  lists: Iterable<readonly PackedPoints[]>,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of encodeRuns(series, each(lists))) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

/** A body that arrives in pieces of a size. */
export function inPieces(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  }) as unknown as AsyncIterable<Uint8Array>;
}

/** Everything that a stream holds, as text: two streams with equal texts have the same points. */
export async function contentOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const { series, batches } = await decodeRuns(body, 'points');
  const rows: unknown[] = [];
  for await (const batch of batches) rows.push(...rowsOf(batch));
  return JSON.stringify([series, rows]);
}

/** The points of some lists, a text each. */
export function rowsOf(list: readonly PackedPoints[]): string[] {
  const columns = unpackPoints(list);
  const { length, series, start_date, end_date, value, unit_id, reporting_date } = columns;
  return Array.from({ length }, (_, i) =>
    [
      series[i],
      start_date[i],
      end_date[i],
      isValid(columns.value_valid, i) ? (Object.is(value[i], -0) ? '-0' : value[i]) : `null ${value[i]}`,
      unit_id[i],
      isValid(columns.reporting_valid, i) ? reporting_date[i] : `null ${reporting_date[i]}`,
      columns.available_date?.[i],
      columns.metadata?.[i] ?? 'no remark',
    ].join(' '),
  );
}
