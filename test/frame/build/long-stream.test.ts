import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atPosition, type PointSet } from '../../../src/columns/packed-points.js';
import { longFrame, streamLong } from '../../../src/frame/build/long.js';
import { FRAME_FORMATS, type FrameFormat } from '../../../src/frame/formats/frame-formats.js';
import { framePieces } from '../../../src/frame/formats/frame-pieces.js';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { fromParquet } from '../../../src/frame/formats/parquet/read-parquet.js';
import { fromArrow } from '../../../src/frame/formats/read-arrow.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { frame } from '../../../src/frame/frame.js';
import { groupedBy } from '../../../src/model/grouping.js';
import { seriesKeyText } from '../../../src/model/series.js';
import { countRuns } from '../../endurance.js';
import { collect } from '../../sequences.js';
import { anyPointSet, NAMES, PROVENANCE, runsOf, seriesOf } from '../points.js';

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

async function bytesOf(pieces: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(Buffer.concat((await collect(pieces)).map((piece) => Buffer.from(piece))));
}

/** One set for each series, with all of its entries. */
function bySeries({ series, runs }: PointSet): PointSet[] {
  const entriesOf = groupedBy(series.keys(), (entry) => seriesKeyText(series[entry]!));
  return [...entriesOf.values()].map((entries) => ({
    series: entries.map((entry) => series[entry]!),
    runs: entries.flatMap((entry, at) =>
      runs.filter((run) => run.series === entry).map((run) => atPosition(run, at)),
    ),
  }));
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const READERS: Record<FrameFormat, (bytes: Uint8Array) => Table | Promise<Table>> = {
  csv: (bytes) => fromCsv(text(bytes)),
  json: (bytes) => fromRows(JSON.parse(text(bytes))),
  parquet: fromParquet,
  arrow: fromArrow,
  'arrow-stream': fromArrow,
};

describe('a frame that arrives set by set', () => {
  test.each(FRAME_FORMATS)('is written as %s with the rows of the frame in memory', async (format) => {
    await fc.assert(
      fc.asyncProperty(anyPointSet(), async (points) => {
        const options = { names: NAMES, provenance: PROVENANCE };
        const stream = streamLong(each(bySeries(points)), { series: points.series, ...options });
        const read = await READERS[format](await bytesOf(framePieces(stream, format)));
        expect(frame(read).toRows()).toEqual(longFrame(points, options).toRows());
        if (format !== 'csv' && format !== 'json') expect(frame(read).provenance).toEqual(PROVENANCE);
      }),
      { numRuns: countRuns({ quick: 3, all: 60 }) },
    );
  });

  const at = (day: number, value: number, parts: object = {}) => ({
    ...{ series: 0, start: day, end: day, value },
    ...parts,
  });
  const setOf = (...points: Parameters<typeof runsOf>[0]) => ({ series: [seriesOf()], runs: runsOf(points) });
  const batchesOf = async (sets: PointSet[]) => {
    const batches: unknown[][] = [];
    for await (const batch of streamLong(each(sets), { series: [seriesOf()] }).batches)
      batches.push([...batch.getChild('value')!]);
    return batches;
  };

  test('asks for a set once the batch before it is taken', async () => {
    let asked = 0;
    async function* sets() {
      while (asked < 50) yield setOf(at(asked++, 1));
    }
    for await (const _ of streamLong(sets(), { series: [] }).batches) break;
    expect(asked).toBe(1);
  });

  test('has no batch for a set without points, unless there is no other', async () => {
    const none = { series: [seriesOf()], runs: [] };
    expect(await batchesOf([none, setOf(at(0, 1)), none])).toEqual([[1]]);
    expect(await batchesOf([none, none])).toEqual([[]]);
    const empty = streamLong(each([]), { series: [seriesOf()], names: NAMES });
    const read = await fromParquet(await bytesOf(framePieces(empty, 'parquet')));
    expect([read.numRows, read.schema.fields.length]).toEqual([0, 18]);
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
    const { batches } = streamLong(each([setOf(at(0, 1, { unit_id: 0 }), at(1, 2))]), options);
    for await (const batch of batches) expect([...batch.getChild('unit_name')!]).toEqual([null, 't/ha']);
    const read = async (set: PointSet, names?: typeof NAMES) => {
      for await (const _ of streamLong(each([set]), { series: [seriesOf()], names }).batches);
    };
    const other = { ...setOf(at(0, 1)), series: [seriesOf({ source_id: 9 })] };
    await expect(read(other, NAMES)).rejects.toThrow(
      'series: source_id 9 is not listed; list every series and unit that may arrive',
    );
    await expect(read(other)).resolves.toBeUndefined();
    await expect(read(setOf(at(0, 1), at(1, 1, { unit_id: 8 })), NAMES)).rejects.toThrow(
      'names: unit_id 8 is not listed; list every series and unit that may arrive',
    );
  });
});
