import { execFileSync, spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { constants as osConstants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './capture.js';
import { COMMAND, type CommandProcess, startCommand } from './process.js';
import { demoStore } from './stores.js';

const { store } = demoStore();
const folder = temporaryFolder();
const pipe = join(folder, 'rows.csv');

beforeAll(() => void execFileSync('mkfifo', [pipe]));

/** A process that has not ended after this long does not heed the signal. */
const MAX_END_MS = 30_000;

/** Sends signals until the process has ended. @returns how many it took, and the exit code or signal */
async function end(
  command: CommandProcess,
  signal: NodeJS.Signals,
  betweenMs = MAX_END_MS,
): Promise<readonly [number, unknown]> {
  let isOver = false;
  const ended = command.ended().finally(() => {
    isOver = true;
  });
  let sent = 0;
  while (!isOver && sent < 3) {
    command.child.kill(signal);
    sent++;
    for (let waited = 0; waited < betweenMs && !isOver; waited += 20) await sleep(20);
  }
  return [sent, await ended];
}

/** Opens a pipe for writing once a process reads it, and writes nothing: the reader waits. */
async function silentWriter(path: string): Promise<FileHandle> {
  for (;;) {
    const writer = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => null);
    if (writer !== null) return writer;
    await sleep(20);
  }
}

/** A process that waits for the reader of a pipe gives no sign of it: it asks again and again, and opens nothing. */
const START_MS = 5_000;

/** Waits until a process handles a signal by itself, where the system tells. Before that, the signal ends it. */
async function handles({ child }: CommandProcess, signal: NodeJS.Signals): Promise<void> {
  const bit = 1n << BigInt(osConstants.signals[signal] - 1);
  for (;;) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    const caught = /^SigCgt:\s*([0-9a-f]+)/m.exec(status)?.[1];
    if (caught === undefined || (BigInt(`0x${caught}`) & bit) !== 0n) return;
    await sleep(20);
  }
}

describe('a pipe in place of a file', () => {
  it('is refused by an import, which reads its files more than once', async () => {
    const command = startCommand(['import', 'nass', pipe, '--store', join(folder, 'farm.duckdb')]);
    expect(await command.ended()).toBe(2);
    expect(command.said().stderr).toContain('rows.csv is a pipe, which can be read only once');
  });

  it('that nobody reads is given up at the first signal', async () => {
    const series = ['points', '--item', 'Temperature max', '--region', 'Seattle', '--store', store];
    const command = startCommand([...series, '--format', 'csv', '--out', pipe]);
    await sleep(START_MS);
    await handles(command, 'SIGTERM');
    expect(await end(command, 'SIGTERM')).toEqual([1, 130]);
  });

  it('gets the output whole', () => {
    const series = ['points', '--item', 'Temperature max', '--region', 'Seattle', '--store', store];
    const script = `cat "${pipe}" | wc -l & "$0" "$@" --format csv --out "${pipe}"; wait`;
    const { stdout } = spawnSync('bash', ['-c', script, process.execPath, COMMAND, ...series], {
      encoding: 'utf8',
    });
    expect(Number(stdout)).toBe(1_462);
  });
});

describe('a second signal', () => {
  it('ends the command at once, even while it waits for a file that does not answer', async () => {
    const command = startCommand(['df', pipe, '--store', store]);
    const writer = await silentWriter(pipe);
    expect((await end(command, 'SIGTERM', 5_000))[0]).toBe(2);
    expect(command.child.signalCode).toBe('SIGTERM');
    await writer.close();
  });
});
