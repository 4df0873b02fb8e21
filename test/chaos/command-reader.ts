import { setTimeout as sleep } from 'node:timers/promises';
import type { DataPoint } from '../../src/client/points/points.js';
import type { DataSeries } from '../../src/model/series.js';
import { type Judge, Verdict } from './judge.js';
import { runCommand } from './processes.js';
import { observe } from './reading.js';
import { SERIES } from './world.js';

interface Shell {
  readonly url: string;
  readonly token: string;
  readonly all: readonly DataSeries[];
  readonly random: () => number;
  readonly isOver: () => boolean;
}

/** Asks for one series after another by the command, as a script does, and trusts its exit code. */
export async function readByCommand({ url, token, all, random, isOver }: Shell, judge: Judge): Promise<void> {
  while (!isOver()) {
    const number = Math.floor(random() * SERIES.length);
    const { state, crop } = SERIES[number]!;
    const names = ['--metric', 'yield', '--item', crop, '--region', state, '--source', 'Chaos'];
    const { first, last } = judge.window();
    const ending = await runCommand(['points', ...names, '--json', '--host', url, '--token', token]);
    judge.count(`points by the command: exit code ${ending.code}`);
    if (ending.code === 0) {
      const rows = JSON.parse(ending.stdout) as DataPoint[];
      const observed = observe(rows, { series: [all[number]!] }, all);
      judge.saw(judge.compare('points by the command', observed, { first, last: last(), atomic: true }));
    } else if (!/^error: \S/m.test(ending.stderr))
      throw new Verdict('other error', `the command ended with ${ending.code} and says: ${ending.stderr}`);
    await sleep(random() * 2_000);
  }
}
