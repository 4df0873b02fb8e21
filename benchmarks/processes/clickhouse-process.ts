import { Agent, request } from 'node:http';
import { tableFromIPC } from 'apache-arrow';
import type { Total, Wanted } from '../stores/engine.js';
import { serveTasks } from './tasks.js';

/** Queries to ClickHouse servers, as a careful programmer asks them, without anything of ours. */
export interface RawScan {
  /** `host:port` of each server: series are on the server of their number modulo the servers. */
  readonly hosts: readonly string[];
  readonly database: string;
  readonly ask: RawAsk;
  /** Lists of series, each asked for by one query of every server that has some of them. */
  readonly queries: readonly Wanted[];
}

/** The points of series; those that were available at a time; or the sum of each series. */
export type RawAsk = 'latest' | 'as-of' | 'top';

export interface RawScanned extends Total {
  /** Milliseconds of each list. */
  readonly times: readonly number[];
}

const agent = new Agent({ keepAlive: true });

/** The import of the benchmarks is the first one of its store, and nothing is superseded. */
const VISIBLE = 'import <= 1 AND gone > 1';
const COLUMNS = 'series, start_date, end_date, value, unit_id, reporting_date';
const LATER = 4_102_444_800_000;

const SQL: Readonly<Record<RawAsk, (where: string) => string>> = {
  latest: (where) =>
    `SELECT ${COLUMNS} FROM point WHERE ${where} AND ${VISIBLE} ORDER BY series, start_date, end_date`,
  'as-of': (where) =>
    `SELECT ${COLUMNS} FROM point WHERE ${where} AND import <= 1 AND available_date <= ${LATER}
    ORDER BY series, start_date, end_date, reporting_date DESC, available_date DESC, import DESC
    LIMIT 1 BY series, start_date, end_date`,
  top: (where) =>
    `SELECT series, sum(point.value) AS value FROM point
    WHERE ${where} AND ${VISIBLE} AND NOT isNaN(point.value) GROUP BY series`,
};

serveTasks(scanAll, ({ bodies, times }: { bodies: Buffer[]; times: number[] }): RawScanned => {
  const total = { rows: 0, sum: 0, times };
  for (const body of bodies) {
    const table = tableFromIPC(body);
    total.rows += table.numRows;
    for (const value of (table.getChild('value')?.toArray() ?? []) as Float64Array) total.sum += value;
  }
  return total;
});

async function scanAll({ hosts, database, ask, queries }: RawScan) {
  const bodies: Buffer[] = [];
  const times: number[] = [];
  for (const wanted of queries) {
    const began = performance.now();
    const answers = hosts.map(async (host, i) => {
      const where = whereOf(wanted, i, hosts.length);
      if (where !== null) bodies.push(await query(host, database, `${SQL[ask](where)} FORMAT ArrowStream`));
    });
    await Promise.all(answers);
    times.push(performance.now() - began);
  }
  return { bodies, times };
}

function whereOf(wanted: Wanted, position: number, hosts: number): string | null {
  const own = wanted.filter((series) => series % hosts === position);
  if (own.length === 0) return null;
  const isRange = wanted.at(-1)! - wanted[0]! === wanted.length - 1;
  return isRange ? `series BETWEEN ${wanted[0]} AND ${wanted.at(-1)}` : `series IN (${own})`;
}

function query(host: string, database: string, sql: string): Promise<Buffer> {
  const url = `http://${host}/?database=${database}&output_format_arrow_compression_method=none`;
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const body = Buffer.concat(chunks);
        if (answer.statusCode === 200) resolve(body);
        else reject(new Error(`${host}: ${body}`));
      });
    });
    asked.on('error', reject);
    asked.end(sql);
  });
}
