import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listCounts } from '../endurance.js';
import { freePorts } from '../free-ports.js';
import { seededRandom } from '../journeys/seeded-random.js';
import { readByCommand } from './command-reader.js';
import { checkStore, importArguments, nextEpisode, settle } from './episodes.js';
import { Judge, KINDS } from './judge.js';
import { runCommand, ServiceProcess } from './processes.js';
import { ChaosProxy } from './proxy.js';
import { impatientClient, listWorld, readOnAndOn } from './reading.js';
import { readSlowly } from './slow-reader.js';
import { World } from './world.js';

/**
 * Everything that goes wrong, at once: `npm run chaos -- --minutes 30 --seed 7`. A real service, real importers and real
 * clients work behind a proxy that cuts off what passes, are killed, run out of disk and have their clocks set, while every
 * answer is compared with what the store must hold. It ends with what was wrong, and its seed.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, kills: { type: 'string' } },
});
const [minutes, seed, kills] = [
  Number(values.minutes ?? 1),
  Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)),
  Number(values.kills ?? 0),
];
if (![minutes, seed, kills].every((number) => number >= 0)) {
  console.error('usage: npm run chaos -- [--minutes N] [--seed S] [--kills AT_LEAST]');
  process.exit(2);
}
const READERS = 3;

const folder = mkdtempSync(join(tmpdir(), 'cropframe-chaos-'));
const store = join(folder, 'chaos.duckdb');
const world = new World(seed);
const judge = new Judge(world);
const [port] = await freePorts(1);
const service = new ServiceProcess(store, port!, judge);
const proxy = new ChaosProxy(seededRandom(seed + 1), Number(new URL(service.url).port));
let isOver = false;

/** A store with the first import, and a token that may read and import. */
async function fillStore(): Promise<string> {
  const imported = await runCommand([...importArguments({ folder, world, judge }), '--store', store]);
  if (imported.code !== 0) throw new Error(`the first import failed: ${imported.stderr}`);
  judge.committed = 1;
  const rights = ['--right', 'import', '--right', 'administer'];
  const made = await runCommand(['token', 'create', '--name', 'chaos', ...rights, '--store', store]);
  return made.stdout.trim();
}

async function run(): Promise<void> {
  const token = await fillStore();
  const proxyUrl = await proxy.listen();
  await service.start();
  const all = await listWorld(impatientClient(service.url, token));
  const stage = {
    folder,
    store,
    world,
    judge,
    service,
    proxyUrl,
    token,
    all,
    random: seededRandom(seed + 2),
  };
  const readers = Array.from({ length: READERS }, (_, i) => {
    const cache = join(folder, `cache-${i}`);
    mkdirSync(cache);
    const newClient = () => impatientClient(proxyUrl, token, i % 2 === 0 ? undefined : cache);
    return readOnAndOn({ newClient, all, random: seededRandom(seed + 3 + i), isOver: () => isOver }, judge);
  });
  const slow = readSlowly({ url: service.url, token, isOver: () => isOver }, judge);
  const shell = { url: proxyUrl, token, all, random: seededRandom(seed + 10), isOver: () => isOver };
  const actors = Promise.all([...readers, slow, readByCommand(shell, judge)]);
  actors.catch((error: unknown) => judge.condemn(error));
  const memory = setInterval(() => service.observeMemory(), 500);
  try {
    await Promise.race([episodes(stage), judge.failed]);
    isOver = true;
    await Promise.race([actors, judge.failed]);
    if (judge.verdicts.length > 0) return;
    await settle(stage);
    await service.stop();
    await checkStore(store, judge);
  } finally {
    isOver = true;
    clearInterval(memory);
  }
}

/** One episode after another, until the time is over and enough was killed, or something is wrong. */
async function episodes(stage: Parameters<typeof nextEpisode>[0]): Promise<void> {
  const endMs = performance.now() + minutes * 60_000;
  const killed = () =>
    (judge.counts.get('SIGKILLs of importers') ?? 0) + (judge.counts.get('SIGKILLs of the service') ?? 0);
  while ((performance.now() < endMs || killed() < kills) && judge.verdicts.length === 0)
    await nextEpisode(stage);
}

function summary(): string {
  const counts = [...judge.counts].sort(([a], [b]) => a.localeCompare(b));
  const wrong = KINDS.map((kind) => `${kind}: ${judge.verdicts.filter((one) => one.kind === kind).length}`);
  return [
    ...counts.map(([what, count]) => `  ${String(count).padStart(7)}  ${what}`),
    `  ${String([...proxy.injected.values()].reduce((sum, count) => sum + count, 0)).padStart(7)}  faults of the network (${listCounts(proxy.injected)})`,
    `  ${service.maxMemoryMiB.toFixed(0).padStart(7)}  MiB of memory of the service at most`,
    `${judge.committed} imports; ${wrong.join(', ')}; seed ${seed}`,
  ].join('\n');
}

console.log(
  `chaos for ${minutes} min, seed ${seed} (${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores)`,
);
await run().catch((error: unknown) => judge.condemn(error));
await proxy.close();
if (service.isRunning) await service.kill();
console.log(summary());
if (judge.verdicts.length === 0) rmSync(folder, { recursive: true });
else {
  console.log(`\nthe last events:\n${judge.lastEvents.join('\n')}\n\nFAILED: ${judge.verdicts[0]!.message}`);
  console.log(`the store is in ${folder}; again: npm run chaos -- --seed ${seed} --minutes ${minutes}`);
}
process.exit(judge.verdicts.length === 0 ? 0 : 1);
