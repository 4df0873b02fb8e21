import { useEffect, useMemo } from 'preact/hooks';
import { plotMap } from '../../charts/map.js';
import { runsWhere, takeRuns } from '../../frame/series/take-runs.js';
import { buildTable, tableColumns } from '../../frame/table/build-table.js';
import { type FrameColumn, readColumn } from '../../frame/table/columns.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import { formatDay } from '../../model/time.js';
import { clientProgram, literal } from '../export/code.js';
import { drawable, type Exported, useExported } from '../export/exported.js';
import { nameOf } from '../state/names.js';
import { host } from '../state/service.js';
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

/** Exports the map: its values, all values of its regions, a program, and a picture of the shapes. */
export function useMapFile(map: ShownMap): void {
  const { data, at, subtitle } = map;
  const parts = [data, at, subtitle];
  const rows = useMemo(() => rowsOf(map), parts);
  useExported(() => exportedMap(data, rows), parts);
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
      const { end } = region.line;
      return value === null ? [] : [`${region.id} ${end[end.findLastIndex((one) => one <= at)]}`];
    }),
  );
  const [ids, ends] = ['region_id', 'end_date'].map((name) => readColumn(table, name).values);
  const runs = runsWhere(table.numRows, (row) => wanted.has(`${ids![row]} ${ends![row]}`));
  return withColumns(table, (column) => takeRuns(column, runs));
}

/** The rows as if all were of one date, for the picture, whose subtitle counts those that are older. */
function datedAt(rows: LongFrame, at: number): LongFrame {
  const values = new BigInt64Array(rows.numRows).fill(BigInt(at));
  return withColumns(rows, (column, name) =>
    name === 'start_date' || name === 'end_date' ? ({ ...column, values } as FrameColumn) : column,
  );
}

function withColumns(
  table: LongFrame,
  change: (column: FrameColumn, name: string) => FrameColumn,
): LongFrame {
  const columns = tableColumns(table).map((each) => ({ ...each, column: change(each.column, each.name) }));
  return buildTable(columns, table.schema.metadata) as unknown as LongFrame;
}

function exportedMap({ table, request }: MapData, rows: LongFrame): Exported {
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
