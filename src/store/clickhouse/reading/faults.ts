import { NO_UNIT_ID } from '../../../columns/point-columns.js';
import { CONTAINING_TYPES } from '../../../model/entity.js';
import type { LongOperation } from '../../../model/progress.js';
import { SERIES_KEY_FIELDS, SERIES_KEY_TYPES } from '../../../model/series.js';
import { ENTITY_TABLES } from '../../duckdb/entity-tables.js';
import type { ReadOptions } from '../../store.js';
import type { Cluster } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { imported, type Snapshot, visible } from '../engine/snapshot.js';
import { together } from '../engine/together.js';
import { tablesOf } from '../tables.js';
import { findUntrueSeries, pointCount } from './untrue-series.js';

const MAX_FAULTS = 100;

/**
 * What contradicts itself in a store: damaged parts of tables, ids without an entity, points on a shard of other series, and
 * what is not true of a series. Reads every point.
 */
export async function findFaults(cluster: Cluster, operation: LongOperation = {}): Promise<string[]> {
  const snapshot = await cluster.snapshot(operation);
  const damaged = await findDamaged(cluster, operation);
  const references = await findReferences(cluster.first, snapshot, operation);
  const misplaced = await findOnShards(cluster, operation, misplacedPoints(cluster, snapshot));
  const backwards = await findOnShards(cluster, operation, backwardPeriods(snapshot));
  const untrue = await findUntrueSeries(cluster, snapshot, operation);
  return [...damaged, ...references, ...misplaced, ...backwards, ...untrue.slice(0, MAX_FAULTS)];
}

/** A server compares each file of a table with its checksums. */
async function findDamaged({ shards }: Cluster, { signal, onProgress }: LongOperation): Promise<string[]> {
  const tables = shards.map((_, position) => tablesOf(position));
  const total = tables.reduce((sum, { length }) => sum + length, 0);
  let done = 0;
  const faults = await together(
    shards.entries(),
    async ([i, shard], options) => {
      const ofShard: string[] = [];
      for (const { name } of tables[i]!) {
        onProgress?.({ label: 'reading the store', done, total, unit: 'tables' });
        ofShard.push(...(await findDamagedParts(shard, name, options)));
        done++;
      }
      return ofShard;
    },
    { signal },
  );
  return faults.flat();
}

async function findDamagedParts(shard: Shard, table: string, options: ReadOptions): Promise<string[]> {
  const sql = `CHECK TABLE ${table} SETTINGS check_query_single_value_result = 0`;
  const parts = await shard.rows(sql, {}, options);
  return parts
    .filter(({ is_passed }) => Number(is_passed) !== 1)
    .map(
      ({ part_path, message }) =>
        `the part ${part_path} of the table ${table} on ${shard.name} is damaged: ${message}`,
    );
}

/** Ids without an entity: those of series, the units of points, and the parents of entities. */
async function findReferences(
  first: Shard,
  snapshot: Snapshot,
  { signal }: LongOperation,
): Promise<string[]> {
  const { where: seen, parameters } = visible(snapshot);
  const without = (id: string, table: string) => `${id} NOT IN (SELECT id FROM ${table} WHERE ${seen})`;
  const series = SERIES_KEY_FIELDS.map((field) => {
    const { table } = ENTITY_TABLES[SERIES_KEY_TYPES[field]];
    // The world as partner needs no entity.
    const isPartner = field === 'partner_region_id' ? 'AND partner_region_id <> 0' : '';
    return `SELECT DISTINCT concat('a series has ${field} ', toString(${field})) AS what, '${table}' AS kind,
      ${field} AS missing FROM series WHERE ${seen} AND ${without(field, table)} ${isPartner}`;
  });
  const units = `SELECT DISTINCT concat('a point has unit_id ', toString(unit_id)), 'unit', unit_id
    FROM series_unit WHERE ${seen} AND unit_id <> ${NO_UNIT_ID} AND ${without('unit_id', 'unit')}`;
  const parents = CONTAINING_TYPES.map((type) => {
    const { table } = ENTITY_TABLES[type];
    return `SELECT concat('${table} ', toString(child), ' belongs to ', toString(parent)), '${table}', parent
      FROM containment WHERE ${seen} AND entity_type = '${type}' AND ${without('parent', table)}`;
  });
  const rows = await first.rows(
    `SELECT what, kind, missing FROM (${[...series, units, ...parents].join(' UNION ALL ')})
    ORDER BY what, kind, missing LIMIT ${MAX_FAULTS}`,
    parameters,
    { signal },
  );
  return rows.map(({ what, kind, missing }) => `${what}, but there is no ${kind} ${missing}`);
}

/** A condition on the points of a shard, and what it says of a series that has such points. */
interface PointFault {
  readonly where: string;
  readonly parameters: ReturnType<typeof visible>['parameters'];
  readonly describe: (series: unknown, points: string, shard: Shard) => string;
}

/** Points on a shard where no reader looks for them. */
function misplacedPoints({ shards }: Cluster, snapshot: Snapshot): (position: number) => PointFault {
  const { where, parameters } = visible(snapshot);
  return (position) => ({
    where: `${where} AND positiveModulo(series, {shards:UInt32}) <> {position:UInt32}`,
    parameters: { ...parameters, shards: shards.length, position },
    describe: (series, points, { name }) =>
      `${points} of series ${series} on the shard ${name}, which holds other series`,
  });
}

function backwardPeriods(snapshot: Snapshot): () => PointFault {
  const { where, parameters } = imported(snapshot);
  return () => ({
    where: `${where} AND end_date < start_date`,
    parameters,
    describe: (series, points) => `series ${series} has ${points} with an end before the start`,
  });
}

async function findOnShards(
  { shards }: Cluster,
  { signal }: LongOperation,
  faultOf: (position: number) => PointFault,
): Promise<string[]> {
  const found = await together(
    shards.entries(),
    async ([position, shard], options) => {
      const { where, parameters, describe } = faultOf(position);
      const rows = await shard.rows(
        `SELECT series, count() AS points FROM point WHERE ${where} GROUP BY series ORDER BY series LIMIT ${MAX_FAULTS}`,
        parameters,
        options,
      );
      return rows.map(({ series, points }) => describe(series, pointCount(Number(points)), shard));
    },
    { signal },
  );
  return found.flat();
}
