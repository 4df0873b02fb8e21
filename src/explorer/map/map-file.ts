import { useEffect, useMemo } from 'preact/hooks';
import type { FrameColumn, LongFrame } from '../../browser.js';
import { fromColumns, toColumns } from '../../browser.js';
import { plotMap } from '../../charts.js';
import { formatDay } from '../../model/time.js';
import { takeRows } from '../series/shown-frame.js';
import { nameOf } from '../state/names.js';
import { host } from '../state/service.js';
import { clientProgram } from '../take/code/code-typescript.js';
import { literal } from '../take/code/quote.js';
import { drawable } from '../take/drawable.js';
import { type Taken, useTaken } from '../take/taken.js';
import { clientRequest, type MapData } from './map-data.js';
import type { RegionValue } from './map-values.js';

/** A map as it is shown. */
export interface ShownMap {
  readonly data: MapData;
  readonly values: readonly RegionValue[];
  readonly at: number;
  /** What is said above the map. */
  readonly subtitle: string;
}

/** Lets the map be taken away: its values, all values of its regions, a program, and a picture of the shapes. */
export function useMapFile(map: ShownMap): void {
  const { data, at, subtitle } = map;
  const parts = [data, at, subtitle];
  const rows = useMemo(() => rowsOf(map), parts);
  useTaken(() => takenMap(data, rows), parts);
  useEffect(() => {
    const shapes = data.regions.flatMap(({ id, shape }) =>
      shape === null ? [] : [{ region_id: id, shape }],
    );
    const draw = () =>
      plotMap(datedAt(rows, at), shapes, { date: formatDay(at), subtitle, width: 1000, height: 640 });
    drawable.value = shapes.length === 0 ? null : draw;
    return () => {
      drawable.value = null;
    };
  }, parts);
}

/** The rows whose values are on the map, with their own dates. */
function rowsOf({ data: { table }, values, at }: ShownMap): LongFrame {
  const wanted = new Set(
    values.flatMap(({ region, value }) => {
      const { end, value: known } = region.line;
      if (value === null) return [];
      const row = end.findLastIndex((one, i) => one <= at && !Number.isNaN(known[i]!));
      return [`${region.id} ${end[row]}`];
    }),
  );
  const { region_id, end_date } = toColumns(table) as Record<string, FrameColumn>;
  const rows: number[] = [];
  for (let row = 0; row < table.numRows; row++)
    if (wanted.has(`${region_id!.values[row]} ${end_date!.values[row]}`)) rows.push(row);
  return takeRows(table, rows);
}

/** The rows as if all were of one date, for the picture, whose subtitle counts those that are older. */
function datedAt(rows: LongFrame, at: number): LongFrame {
  const columns = toColumns(rows) as Record<string, FrameColumn>;
  const values = new BigInt64Array(rows.numRows).fill(BigInt(at));
  const dated = {
    start_date: { ...columns.start_date!, values },
    end_date: { ...columns.end_date!, values },
  };
  return fromColumns({ ...columns, ...dated } as never, {
    metadata: rows.schema.metadata,
  }) as unknown as LongFrame;
}

function takenMap({ table, request }: MapData, rows: LongFrame): Taken {
  const { metric_id, item_id } = request.series[0]!;
  const name = `${nameOf('metric', metric_id)} ${nameOf('item', item_id)}`;
  return {
    title: `map ${name}`,
    shown: rows,
    whole: table,
    labels: { shown: 'Values on the map', whole: 'All dates and regions of the map' },
    cited: table,
    request,
    names: [`${name}, ${request.regions?.length} regions`],
    notes: [],
    typescript: clientProgram(host, {
      body: [`console.log(await client.getDataPointsTable(${literal(clientRequest(request))}));`],
    }),
  };
}
