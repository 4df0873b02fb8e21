import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atPosition, type PointSet } from '../../../src/columns/packed-points.js';
import { longFrame, streamLong } from '../../../src/frame/build/long.js';
import { FRAME_FORMATS, type FrameFormat } from '../../../src/frame/formats/frame-formats.js';
import { framePieces } from '../../../src/frame/formats/frame-pieces.js';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { fromParquet } from '../../../src/frame/formats/parquet/read-parquet.js';
import { writeParquet } from '../../../src/frame/formats/parquet/write-parquet.js';
import { fromArrow } from '../../../src/frame/formats/read-arrow.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { frame } from '../../../src/frame/frame.js';
import { countRuns } from '../../endurance.js';
import { anyPointSet, NAMES, PROVENANCE, runsOf, seriesOf } from '../points.js';

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

async function bytesOf(pieces: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return new Uint8Array(Buffer.concat(all));
}

/** One set for each listed series, as from a fan-out. */
const bySeries = (points: PointSet): PointSet[] =>
  points.series.map((series, entry) => ({
    series: [series],
    runs: points.runs.filter((run) => run.series === entry).map((run) => atPosition(run, 0)),
  }));

const streamOf = (points: PointSet) =>
  streamLong(each(bySeries(points)), { series: points.series, names: NAMES, provenance: PROVENANCE });

const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const READERS: Record<FrameFormat, (bytes: Uint8Array) => Table | Promise<Table>> = {
  csv: (bytes) => fromCsv(text(bytes)),
  json: (bytes) => fromRows(JSON.parse(text(bytes))),
  parquet: fromParquet,
  arrow: fromArrow,
  'arrow-stream': fromArrow,
};

describe('a frame that arrives set by set', () => {
  test.each(FRAME_FORMATS)('is written as %s with the same rows as the frame in memory', async (format) => {
    await fc.assert(
      fc.asyncProperty(anyPointSet(), async (points) => {
        const expected = sorted(longFrame(points, { names: NAMES }).toRows());
        const bytes = await bytesOf(framePieces(streamOf(points), format));
        const read = await READERS[format](bytes);
        expect(sorted(frame(read).toRows())).toEqual(expected);
        if (format !== 'csv' && format !== 'json') expect(frame(read).provenance).toEqual(PROVENANCE);
      }),
      { numRuns: countRuns({ quick: 3, all: 60 }) },
    );
  });

  test('becomes a file with columns and no rows when no set arrives', async () => {
    const none = streamLong(each([]), { series: [seriesOf()], names: NAMES });
    const read = await fromParquet(await bytesOf(writeParquet(none)));
    expect([read.numRows, read.schema.fields.length]).toEqual([0, 18]);
  });

  const pointsOf = (...points: Parameters<typeof runsOf>[0]) => ({
    series: [seriesOf()],
    runs: runsOf(points),
  });
  const at = (day: number, value: number, parts: object = {}) => ({
    series: 0,
    start: day,
    end: day,
    value,
    ...parts,
  });
  const batchesOf = async (sets: PointSet[], series = [seriesOf(), seriesOf()]) => {
    const batches: unknown[][] = [];
    for await (const batch of streamLong(each(sets), { series }).batches)
      batches.push([...batch.getChild('value')!]);
    return batches;
  };

  test('asks for a set once the batch before it is taken', async () => {
    let asked = 0;
    async function* sets() {
      while (asked < 50) yield pointsOf(at(asked++, 1));
    }
    for await (const _ of streamLong(sets(), { series: [] }).batches) break;
    expect(asked).toBe(1);
  });

  test('drops what an earlier set had, of a series that is listed twice', async () => {
    const first = pointsOf(at(0, 1), at(1, 2), at(2, 3), at(3, 4));
    expect(await batchesOf([first, pointsOf(at(0, 9), at(5, 6))])).toEqual([[1, 2, 3, 4], [6]]);
    expect(await batchesOf([first, pointsOf(at(-1, 6), at(3, 9))])).toEqual([[1, 2, 3, 4], [6]]);
    expect(await batchesOf([first, pointsOf(at(1, 8), at(2, 9))])).toEqual([[1, 2, 3, 4]]);
    expect(await batchesOf([first, pointsOf(at(1, 8), at(4, 5), at(2, 9)), pointsOf(at(4, 9))])).toEqual([
      [1, 2, 3, 4],
      [5],
    ]);
    // Another end or reporting date makes another point.
    const others = [
      at(0, 5, { end: 9 }),
      at(0, 6, { end: 9, reporting: 0 }),
      at(0, 7, { end: 9, reporting: 1 }),
    ];
    expect(await batchesOf([first, pointsOf(...others), pointsOf(others[1]!, at(9, 9))])).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7],
      [9],
    ]);
  });

  test('keeps the vintages of one set, and drops those of a later one', async () => {
    const vintages = [at(0, 1, { available: 1 }), at(0, 2, { available: 2 })];
    expect(await batchesOf([pointsOf(...vintages), pointsOf(...vintages)])).toEqual([[1, 2]]);
  });

  test('looks for repeats only of a series that is listed twice', async () => {
    const listed = [seriesOf(), seriesOf({ region_id: 6 }), seriesOf({ region_id: 6 })];
    const sets = [pointsOf(at(0, 1)), pointsOf(at(0, 2))];
    expect(await batchesOf(sets, listed)).toEqual([[1], [2]]);
    const both = {
      ...pointsOf(at(0, 1), at(0, 5, { series: 1 })),
      series: [seriesOf(), seriesOf({ region_id: 6 })],
    };
    expect(await batchesOf([both, both], listed)).toEqual([[1, 5], [1]]);
  });

  test('has the rows of a set in saved order, not in that of the ids', async () => {
    const set = {
      series: [seriesOf({ region_id: 6 }), seriesOf()],
      runs: runsOf([at(0, 1), at(0, 2, { series: 1 })]),
    };
    expect(await batchesOf([set], set.series)).toEqual([[1, 2]]);
  });

  test('has no batch for a set without points, unless there is no other', async () => {
    const none = { series: [seriesOf()], runs: [] };
    expect(await batchesOf([none, pointsOf(at(0, 1)), none])).toEqual([[1]]);
    expect(await batchesOf([none, none])).toEqual([[]]);
  });

  test('ends with the report of its last batch, where it has provenance and a report', () => {
    const report = () => [];
    const last = (options: object) => streamLong(each([]), { series: [], ...options }).lastProvenance;
    const provenance = { ...PROVENANCE, report: [{ series: {} } as never] };
    expect(last({ provenance, report })!()).toEqual({ ...provenance, report: [] });
    expect([last({ provenance }), last({ report }), last({})]).toEqual([undefined, undefined, undefined]);
  });

  test('names only what is listed, and a point without a unit has none', async () => {
    const options = { series: [seriesOf()], names: NAMES };
    const { batches } = streamLong(each([pointsOf(at(0, 1, { unit_id: 0 }), at(1, 2))]), options);
    for await (const batch of batches) expect([...batch.getChild('unit_name')!]).toEqual([null, 't/ha']);
    const other = { ...pointsOf(at(0, 1)), series: [seriesOf({ source_id: 9 })] };
    const read = async (sets: PointSet[], names?: typeof NAMES) => {
      for await (const _ of streamLong(each(sets), { series: [seriesOf()], names }).batches);
    };
    await expect(read([other], NAMES)).rejects.toThrow(
      'series: source_id 9 is not listed; list every series that may arrive',
    );
    await expect(read([other])).resolves.toBeUndefined();
    await expect(read([pointsOf(at(0, 1), at(1, 1, { unit_id: 8 }))], NAMES)).rejects.toThrow(
      'names: units contains no unit_id 8; pass the name of every unit that may arrive',
    );
  });
});
