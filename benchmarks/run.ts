import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { measure, type Result, type WorkloadMaker } from './measure.js';

/** `npm run bench -- import getdf` runs these benchmarks, or all, and writes their rows of the table in README.md. */
const HERE = new URL('.', import.meta.url);
const README = new URL('README.md', HERE);
const NAMES = readdirSync(HERE).flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? []);

const names = process.argv.slice(2);
const unknown = names.find((name) => !NAMES.includes(name));
if (unknown !== undefined) throw new RangeError(`no benchmark ${unknown}; there are ${NAMES.join(', ')}`);

for (const name of names.length > 0 ? names : NAMES) {
  const module = (await import(`./${name}.bench.js`)) as { workloads: readonly WorkloadMaker[] };
  const results: Result[] = [];
  for (const maker of module.workloads) {
    console.log(maker.name);
    const work = await maker.make();
    try {
      for (const result of await measure(work)) {
        console.log(`  ${result.rival}: ${ratioOf(result)}`);
        results.push(result);
      }
    } finally {
      await work.close?.();
    }
  }
  writeTable(name, results);
}

/** Rival ÷ ours: above 1 ours is faster. */
function ratioOf({ oursMs, rivalMs }: Result): string {
  return (rivalMs / oursMs).toPrecision(3);
}

/** Replaces the rows of one benchmark. */
function writeTable(name: string, results: readonly Result[]): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const when = `${new Date().toISOString().slice(0, 10)} ${commit}`;
  const rows = results.map((result) =>
    [
      name,
      result.workload,
      result.rival,
      `${milliseconds(result.oursMs)} (${milliseconds(result.oursP95Ms)})`,
      `${milliseconds(result.rivalMs)} (${milliseconds(result.rivalP95Ms)})`,
      `**${ratioOf(result)}**`,
      `${result.rounds}`,
      `${Math.round(result.peakBytes / 1e6)}`,
      when,
    ].join(' | '),
  );
  const lines = readFileSync(README, 'utf8').split('\n');
  const others = lines.filter((line) => !line.startsWith(`| ${name} | `));
  const at = others.indexOf('<!-- end of results -->');
  others.splice(at, 0, ...rows.map((row) => `| ${row} |`));
  const machine = `Measured on ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}.`;
  writeFileSync(README, others.map((line) => (line.startsWith('Measured on ') ? machine : line)).join('\n'));
}

function milliseconds(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
