import { copyFileSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../src/create-client.js';
import { openEmbedded } from '../../src/embedded.js';
import type { DataSeries } from '../../src/model/series.js';
import { pick } from '../journeys/seeded-random.js';
import { noSmallDisk, withSmallDisk } from '../small-disk.js';
import { inTime, type Judge, Verdict } from './judge.js';
import { CommandProcess, type Ending, runCommand, type ServiceProcess } from './processes.js';
import { impatientClient, keyOf, listWorld, readAll } from './reading.js';
import { DOCUMENT, dayOf, type World } from './world.js';

/** What the episodes of a run share. */
export interface Stage {
  readonly folder: string;
  readonly store: string;
  readonly world: World;
  readonly judge: Judge;
  readonly service: ServiceProcess;
  readonly proxyUrl: string;
  readonly token: string;
  readonly random: () => number;
  readonly all: readonly DataSeries[];
}

const HOUR_MS = 3_600_000;
const CLOCKS_MS = [
  0,
  0,
  1000,
  -1000,
  HOUR_MS,
  -HOUR_MS,
  24 * HOUR_MS,
  -24 * HOUR_MS,
  9600 * HOUR_MS,
  -9600 * HOUR_MS,
];

/** Between episodes readers have time. */
const MAX_PAUSE_MS = 1_500;

/** How long an import took the last times: moments of kills are within it. */
let usualImportMs = 2_000;

/** Does one thing to the store and its service, as the seed says, and compares all points afterwards. */
export async function nextEpisode(stage: Stage): Promise<void> {
  const { random, service, judge } = stage;
  service.setClock(pick(random, CLOCKS_MS));
  judge.count('clock jumps');
  const [name, episode] = pick(random, [
    ['import into the service', hostedImport],
    ['import into the service', hostedImport],
    ['import into the service', hostedImport],
    ['import into the service', hostedImport],
    ['SIGKILL of the service', killService],
    ['stop, then import into the file', fileImport],
    ['stop, then import on a small disk', smallDisk],
  ] as const);
  judge.tell(`${name}, clock ${service.clockMs / HOUR_MS} h off`);
  await episode(stage);
  if (!service.isRunning) {
    await checkStore(stage.store, judge);
    await service.start();
  }
  await settle(stage);
  await sleep(random() * MAX_PAUSE_MS);
}

/** Writes the file of the next import. @returns the arguments that import it */
export function importArguments({
  folder,
  world,
  judge,
}: Pick<Stage, 'folder' | 'world' | 'judge'>): string[] {
  judge.attempted = Math.max(judge.attempted, judge.committed + 1);
  const [file, document] = [join(folder, 'next.csv'), join(folder, 'document.json')];
  writeFileSync(file, world.file(judge.attempted));
  writeFileSync(document, JSON.stringify(DOCUMENT));
  return ['import', document, file, '--rejects', join(folder, 'rejects.csv')];
}

async function hostedImport(stage: Stage): Promise<void> {
  const { judge, service, random, token } = stage;
  const host = random() < 0.7 ? stage.proxyUrl : service.url;
  const args = [...importArguments(stage), '--host', host, '--token', token];
  const victim = pick(random, ['importer', 'service', 'nobody'] as const);
  await importAndKill(stage, { args, victim, what: 'imports into the service' });
  judge.tell(`${victim} was killed`);
}

async function killService({ service, random }: Stage): Promise<void> {
  await sleep(random() * 1000);
  await service.kill();
}

async function fileImport(stage: Stage): Promise<void> {
  const { random, service, store } = stage;
  await service.stop();
  const victim = pick(random, ['importer', 'importer', 'nobody'] as const);
  const args = [...importArguments(stage), '--store', store];
  await importAndKill(stage, { args, victim, what: 'imports into the file' });
}

/** Imports, and kills somebody at a random moment meanwhile. */
async function importAndKill(
  { judge, service, random }: Stage,
  {
    args,
    victim,
    what,
  }: { args: readonly string[]; victim: 'importer' | 'service' | 'nobody'; what: string },
): Promise<void> {
  const beganMs = performance.now();
  const command = new CommandProcess(args);
  command.setClock(service.clockMs);
  let killed: Promise<void> | undefined;
  const kill = (): void => {
    if (victim === 'service') killed = service.kill();
    else command.signal('SIGKILL');
    if (victim === 'importer') judge.count('SIGKILLs of importers');
  };
  const killing = victim === 'nobody' ? undefined : setTimeout(kill, random() * usualImportMs);
  const ending = await inTime(what, command.ended).finally(() => {
    judge.tell(`the importer said: ${command.lastWords}`);
    command.signal('SIGKILL');
  });
  clearTimeout(killing);
  await killed;
  if (ending.code === 0) {
    judge.committed = Math.max(judge.committed, judge.attempted);
    usualImportMs = 0.7 * usualImportMs + 0.3 * (performance.now() - beganMs);
  }
  judge.count(`${what}: ${outcomeOf(ending)}`);
}

/** @throws Verdict when it failed without an error that names what is wrong */
function outcomeOf({ code, stderr }: Ending): string {
  if (code === 0) return 'done';
  if (code === null) return 'killed';
  if (/^(error|interrupted)/m.test(stderr)) return 'failed by name';
  throw new Verdict('other error', `an import ended with ${code} and says: ${stderr}`);
}

/** Imports a copy of the store on a disk with little room: all of the import is there afterwards, or nothing. */
async function smallDisk(stage: Stage): Promise<void> {
  const { random, service, store, judge, folder } = stage;
  await service.stop();
  if (noSmallDisk !== null) return judge.count('small disks that cannot be mounted');
  const room = Math.round(100 * 60 ** random());
  await withSmallDisk(statSync(store).size / 1024 + room, async (disk) => {
    const copy = join(disk, 'copy.duckdb');
    copyFileSync(store, copy);
    const ending = await runCommand([...importArguments(stage), '--store', copy], service.clockMs);
    judge.count(`small disks: ${outcomeOf(ending)}`);
    const number = judge.committed + (ending.code === 0 ? 1 : 0);
    const large = join(folder, 'copy.duckdb');
    moveStore(copy, large);
    const embedded = await openEmbedded({ path: large });
    try {
      const observed = await readAll(embedded.client, await listWorld(embedded.client));
      const what = `a disk with ${room} KiB to spare, exit code ${ending.code}`;
      judge.compare(what, observed, { first: number, last: number, atomic: true });
    } finally {
      await embedded.close();
    }
  });
}

/** Copies a store with its log over another one. */
function moveStore(from: string, to: string): void {
  for (const part of ['', '.wal']) {
    rmSync(`${to}${part}`, { force: true });
    if (existsSync(`${from}${part}`)) copyFileSync(`${from}${part}`, `${to}${part}`);
  }
}

/** @throws Verdict unless the store is sound */
export async function checkStore(store: string, judge: Judge): Promise<void> {
  const { code, stderr } = await runCommand(['store', 'check', '--store', store]);
  if (code !== 0) throw new Verdict('lost points', `store check ends with ${code}: ${stderr}`);
  judge.count('checks of the store');
}

/** Reads everything without faults: the last import is there whole, or not at all, and all before it. */
export async function settle(stage: Stage): Promise<void> {
  const { judge, service, token, all } = stage;
  const client = impatientClient(service.url, token);
  const { first, last } = judge.window();
  const observed = await inTime('reading everything', readAll(client, all));
  judge.saw(judge.compare('after the episode', observed, { first, last: last(), atomic: true }));
  await inTime('reading the history', checkHistory(stage, client));
  judge.count('comparisons of all points');
}

/** Compares every vintage of a series that the last import changed with the order of the imports. */
async function checkHistory({ judge, world, random, all }: Stage, client: Client): Promise<void> {
  const { committed, attempted } = judge;
  const series = pick(random, world.changedBy(committed));
  const flags = { complete_history: true, show_available_date: true };
  const rows = await client.getDataPoints({ ...keyOf(all[series]!), ...flags });
  const days = new Map<number, { value: number | null; available: string }[]>();
  for (const { start_date, value, available_date } of rows) {
    const vintages = days.get(dayOf(start_date)) ?? [];
    days.set(dayOf(start_date), [...vintages, { value, available: available_date! }]);
  }
  for (const [day, vintages] of days) {
    const found = vintages.sort((a, b) => a.available.localeCompare(b.available)).map(({ value }) => value);
    const known = [committed, attempted].map((number) => world.history(series, day, number).join(', '));
    if (!known.includes(found.join(', ')))
      throw new Verdict(
        'wrong frame',
        `the vintages of series ${series} on day ${day} are ${found}, and must be ${known[0]}`,
      );
  }
  if (committed === attempted && !judge.availableAt.has(committed))
    judge.availableAt.set(
      committed,
      rows
        .map(({ available_date }) => available_date!)
        .sort()
        .at(-1)!,
    );
}
