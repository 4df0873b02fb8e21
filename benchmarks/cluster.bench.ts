import { deepStrictEqual } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportCounts } from '../src/model/importing/outcome.js';
import { DAY_MS } from '../src/model/time.js';
import { initClickhouseStore } from '../src/store/clickhouse/schema.js';
import { openStore } from '../src/store/open.js';
import type { NewPoints, Store } from '../src/store/store.js';
import { Nodes } from '../test/clickhouse/nodes.js';
import { prepareClickHouse } from '../test/clickhouse/prepare.js';
import { putSampleEntities } from '../test/store/conformance/sample-data.js';
import { rival, type WorkloadMaker, workload } from './measure.js';

const STATIONS = 20_000;
const FIRST_DAYS = 50;
/** How often the first days are repeated, so that the larger store has 200 million points and the smaller one 2 million. */
const MANY_TIMES = 200;
const FEW_TIMES = 2;
/** Stations whose points are put together. */
const STATIONS_TOGETHER = 1_000;

/** Daily values of some stations, from a day on. */
function valuesOf(firstStation: number, [firstDay, days]: readonly [number, number]): NewPoints {
  const length = STATIONS_TOGETHER * days;
  const station = Uint32Array.from({ length }, (_, row) => Math.floor(row / days));
  const dates = BigInt64Array.from({ length }, (_, row) => BigInt((firstDay + (row % days)) * DAY_MS));
  const value = Float64Array.from(
    { length },
    (_, row) => (((firstStation + station[row]!) * 31 + (firstDay + (row % days)) * 7) % 1000) / 10,
  );
  return {
    series: Array.from({ length: STATIONS_TOGETHER }, (_, i) => ({
      metric_id: 1,
      item_id: 2,
      region_id: 21,
      partner_region_id: 1_000 + firstStation + i,
      source_id: 1,
      frequency_id: 1,
    })),
    columns: {
      length,
      series: station,
      start_date: dates,
      end_date: dates,
      value,
      value_valid: null,
      unit_id: new Int32Array(length).fill(1),
      reporting_date: new BigInt64Array(length),
      reporting_valid: new Uint8Array(Math.ceil(length / 8)),
      available_date: new BigInt64Array(length).fill(0n),
    },
  };
}

async function importDays(store: Store, days: readonly [number, number]): Promise<ImportCounts> {
  const transaction = await store.begin();
  await putSampleEntities(transaction);
  const stations = Array.from({ length: STATIONS }, (_, i) => ({
    id: 1_000 + i,
    name: `Station ${i}`,
    definition: '',
    belongsTo: [],
    level: 5,
    latitude: null,
    longitude: null,
    historical: false,
  }));
  if (days[0] === 0) await transaction.putEntities('regions', stations);
  for (let first = 0; first < STATIONS; first += STATIONS_TOGETHER)
    await transaction.putPoints(valuesOf(first, days));
  return transaction.commit();
}

async function startNodes(): Promise<Nodes> {
  const reason = await prepareClickHouse();
  if (reason !== null) throw new Error(reason);
  return Nodes.start(3);
}

async function openNew(address: string): Promise<Store> {
  await initClickhouseStore(address);
  return openStore(address);
}

/** Repeats the points of a store on each server, so that it has `times` as many. The copies follow the first days. */
async function repeatPoints(nodes: Nodes, database: string, times: number): Promise<void> {
  const shift = `k * ${FIRST_DAYS * DAY_MS}`;
  for (const host of nodes.hosts)
    for (let from = 1; from < times; from += TIMES_TOGETHER) {
      const sql = `INSERT INTO point SELECT series, start_date + ${shift}, end_date + ${shift}, value, unit_id, reporting_date,
        available_date, metadata, import FROM point CROSS JOIN (
          SELECT number + ${from} AS k FROM numbers(${Math.min(TIMES_TOGETHER, times - from)})) AS copies
        WHERE start_date < ${FIRST_DAYS * DAY_MS}`;
      const answer = await fetch(`http://${host}/?database=${database}`, { method: 'POST', body: sql });
      if (!answer.ok) throw new Error(await answer.text());
    }
}
const TIMES_TOGETHER = 20;

const millions = (times: number) => `${(STATIONS * FIRST_DAYS * times) / 1e6} million`;
const NEW_DAY = `a new day of ${STATIONS.toLocaleString('en-US')} stations into ${millions(MANY_TIMES)} points on three servers`;

const newDay: WorkloadMaker = {
  name: NEW_DAY,
  async make() {
    const nodes = await startNodes();
    const [many, few] = [await openNew(nodes.address('many')), await openNew(nodes.address('few'))];
    let [manyDays, fewDays] = [FIRST_DAYS * MANY_TIMES, FIRST_DAYS * FEW_TIMES];
    for (const store of [many, few]) await importDays(store, [0, FIRST_DAYS]);
    await repeatPoints(nodes, 'many', MANY_TIMES);
    await repeatPoints(nodes, 'few', FEW_TIMES);
    // Only the first import after the one that brought the stations changes an entity.
    await importDays(many, [manyDays++, 1]);
    await importDays(few, [fewDays++, 1]);
    return workload<ImportCounts>({
      name: NEW_DAY,
      rows: STATIONS,
      ours: () => importDays(many, [manyDays++, 1]),
      rivals: [
        rival<ImportCounts, ImportCounts>({
          name: `into ${millions(FEW_TIMES)}`,
          run: () => importDays(few, [fewDays++, 1]),
          assertEqual: (ours, theirs) => deepStrictEqual([ours, ours.added], [theirs, STATIONS]),
        }),
      ],
      async close() {
        await Promise.all([many.close(), few.close()]);
        await nodes.stop();
      },
    });
  },
};

/** Days of the first import. */
const LOAD_DAYS = 1000;
const FIRST_LOAD = `a first import of ${(STATIONS * LOAD_DAYS) / 1e6} million points into three servers`;

const firstLoad: WorkloadMaker = {
  name: FIRST_LOAD,
  async make() {
    const nodes = await startNodes();
    const folder = mkdtempSync(join(tmpdir(), 'cropframe-cluster-'));
    let stores = 0;
    const importInto = async (store: Store) => {
      const counts = await importDays(store, [0, LOAD_DAYS]);
      await store.close();
      return counts;
    };
    return workload<ImportCounts>({
      name: FIRST_LOAD,
      rows: STATIONS * LOAD_DAYS,
      ours: async () => importInto(await openNew(nodes.address(`first_${stores++}`))),
      rivals: [
        rival<ImportCounts, ImportCounts>({
          name: 'into a DuckDB file',
          run: async () => importInto(await openStore(join(folder, `${stores++}.duckdb`))),
          assertEqual: (ours, theirs) => deepStrictEqual(ours, theirs),
        }),
      ],
      async close() {
        await nodes.stop();
        rmSync(folder, { recursive: true });
      },
    });
  },
};

export const workloads: readonly WorkloadMaker[] = [firstLoad, newDay];
