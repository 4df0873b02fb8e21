import { execFileSync, spawnSync } from 'node:child_process';
import { constants, createWriteStream, readdirSync, writeFileSync } from 'node:fs';
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
const [pipe, document, target] = ['rows.csv', 'document.json', 'farm.duckdb'].map((name) =>
  join(folder, name),
);
const ROWS = 'station,day,value\nS1,2020-01-01,1\nS1,2020-01-02,2\n';
const IMPORT = ['import', document!, pipe!, '--store', target!];

beforeAll(() => {
  execFileSync('mkfifo', [pipe!]);
  writeFileSync(
    document!,
    JSON.stringify({
      source: { name: 'Farm' },
      region: { station: 'station', latitude: 42, longitude: -93 },
      start_date: { column: 'day', format: 'YYYY-MM-DD' },
      metric: { name: 'Temperature' },
      unit: { name: '°C' },
      values: [{ column: 'value', item: { name: 'Temperature max' } }],
    }),
  );
});

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
  it('that brings nothing is given up at the first signal', async () => {
    const command = startCommand(IMPORT);
    const writer = await silentWriter(pipe!);
    expect(await end(command, 'SIGINT')).toEqual([1, 130]);
    await writer.close();
    expect(readdirSync(folder).sort()).toEqual(['document.json', 'rows.csv']);
  });

  it('that nobody reads is given up at the first signal', async () => {
    const series = ['points', '--item', 'Temperature max', '--region', 'Seattle', '--store', store];
    const command = startCommand([...series, '--format', 'csv', '--out', pipe!]);
    await sleep(START_MS);
    await handles(command, 'SIGTERM');
    expect(await end(command, 'SIGTERM')).toEqual([1, 130]);
  });

  it('is imported whole, as is the output of another program', async () => {
    const command = startCommand(IMPORT);
    createWriteStream(pipe!).end(ROWS);
    expect(await command.ended()).toBe(0);
    expect(command.said().stdout).toMatch(/points +2\n/);
    const argv = [
      '-c',
      `"$0" "$@" '${document}' <(printf '${ROWS.replaceAll('\n', '\\n')}')`,
      process.execPath,
      COMMAND,
    ];
    const rest = ['import', '--store', target!];
    const { stdout, status } = spawnSync('bash', [...argv, ...rest], { encoding: 'utf8' });
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/unchanged +2\n/) });
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
    const command = startCommand(['df', pipe!, '--store', store]);
    const writer = await silentWriter(pipe!);
    expect((await end(command, 'SIGTERM', 5_000))[0]).toBe(2);
    expect(command.child.signalCode).toBe('SIGTERM');
    await writer.close();
  });
});
