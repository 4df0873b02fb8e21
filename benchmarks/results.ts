import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, platform, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { drawGrowth } from './picture.js';
import type { BenchResult } from './workload.js';

const HERE = new URL('.', import.meta.url);
const README = new URL('README.md', HERE);

/** The machine, and the versions of what is compared. */
export function environment(): string {
  const versions = [
    'apache-arrow',
    'arquero',
    '@duckdb/node-api',
    'parquet-wasm',
    'danfojs-node',
    '@clickhouse/client',
    'chdb',
  ]
    .map((name) => [name, versionOf(name)] as const)
    .filter(([, version]) => version !== null)
    .map(([name, version]) => `${name} ${version}`);
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return [machine, `${platform()} ${release()}`, `Node ${process.versions.node}`, ...versions].join('; ');
}

function versionOf(name: string): string | null {
  for (const root of ['../node_modules', '../test/danfo/node_modules', '../test/clickhouse/node_modules']) {
    const path = new URL(`${root}/${name}/package.json`, HERE);
    if (existsSync(path)) return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  }
  return null;
}

/** The stored results of a room; none before its first run. */
export function readResults(room: string): BenchResult[] {
  const file = new URL(`results/${room}.json`, HERE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BenchResult[]) : [];
}

/**
 * Writes `results/<room>.json` and the room's table in README.md. Results of workloads that need an option which was not
 * given stay as they were, and with `some` those of all that were not measured, as where a rival is not installed.
 */
export function storeResults(
  room: string,
  measured: readonly BenchResult[],
  { given, some }: { given: readonly string[]; some: boolean },
): void {
  const stored = readResults(room);
  const results = some ? renewed(stored, measured) : [...measured, ...stored.filter(isLeftOut(given))];
  mkdirSync(new URL('results', HERE), { recursive: true });
  writeFileSync(new URL(`results/${room}.json`, HERE), `${JSON.stringify(results, null, 2)}\n`);
  const picture = room === 'saved' ? drawGrowth(results) : '';
  const readme = existsSync(README) ? readFileSync(README, 'utf8') : '# Benchmarks\n';
  const begin = `<!-- ${room} -->`;
  const end = `<!-- /${room} -->`;
  const section = `${begin}\n## ${room}\n\n${picture}${tableOf(results)}\n${end}`;
  const from = readme.indexOf(begin);
  const to = readme.indexOf(end);
  const updated =
    from === -1 || to === -1
      ? `${readme.trimEnd()}\n\n${section}\n`
      : readme.slice(0, from) + section + readme.slice(to + end.length);
  writeFileSync(fileURLToPath(README), updated);
}

function isLeftOut(given: readonly string[]): (result: BenchResult) => boolean {
  return ({ option }) => option !== undefined && !given.includes(option);
}

/** The stored results, each replaced by the measured one of the same workload and rival, and what is new. */
function renewed(stored: readonly BenchResult[], measured: readonly BenchResult[]): BenchResult[] {
  const keyOf = ({ workload, rival }: BenchResult) => `${workload} ${rival}`;
  const byKey = new Map([...stored, ...measured].map((result) => [keyOf(result), result]));
  return [...byKey.values()];
}

/** The results as a Markdown table. */
export function tableOf(results: readonly BenchResult[]): string {
  const rows = results.map((result) => [
    result.workload,
    result.rival,
    `${ms(result.oursMs)} (${ms(result.oursP95Ms)}, ${result.oursN})`,
    `${ms(result.rivalMs)} (${ms(result.rivalP95Ms)}, ${result.rivalN})`,
    `**${result.ratio}**${result.wanted === null ? '' : ` (wanted ${Number(result.wanted.toPrecision(2))}${result.ratio >= result.wanted ? '' : ': missed'})`}`,
    `${megabytes(result.peakBytes)} / ${megabytes(result.bytes)}`,
    Object.entries(result.figures ?? {})
      .map(([name, figure]) => `${name} ${figure}`)
      .join('; '),
  ]);
  const header = [
    'workload',
    'rival',
    'ours ms (p95, n)',
    'rival ms (p95, n)',
    'ratio',
    'peak / answer MB',
    'beside',
  ];
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [...lines, '', `Measured on ${results[0]?.environment ?? 'nothing'}.`].join('\n');
}

function ms(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes >= 1e7 ? 0 : 1);
}
