import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuMsOf, resetPeak, resident } from '../usage.js';

const SOURCE = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
/** With the page, which only the build has. */
const BUILT = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** What the service took for a piece of work. */
export interface ServiceUsage {
  readonly cpuMs: number;
  /** Memory above what it held before. */
  readonly peakBytes: number;
}

/** How often the processor time of the service is read, until it rests. */
const LOOK_EVERY_MS = 300;

/** `cropframe serve` in a process of its own, as a user runs it. */
export class ServedStore {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(file: string, { built = false } = {}): Promise<ServedStore> {
    const serve = ['serve', '--store', file, '--port', '0', '--no-auth', '--log', 'none'];
    const command = built ? [BUILT] : ['--import', 'tsx', SOURCE];
    const child = spawn(process.execPath, [...command, ...serve], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaint = '';
    child.stderr.on('data', (text: Buffer) => {
      complaint += text;
    });
    for await (const line of createInterface(child.stdout)) {
      const url = /^listening on (\S+)/.exec(line)?.[1];
      if (url === undefined) continue;
      await untilIdle(child.pid!);
      return new ServedStore(child, url);
    }
    throw new Error(`cropframe serve does not serve ${file}: ${complaint}`);
  }

  /** Runs work that asks the service, and tells what the service took for it. */
  async during<T>(work: () => Promise<T>): Promise<{ answer: T; service: ServiceUsage }> {
    const id = this.#child.pid!;
    resetPeak(id);
    const [cpu, held] = [cpuMsOf(id), resident('VmRSS', id)];
    const answer = await work();
    const peakBytes = Math.max(0, resident('VmHWM', id) - held);
    return { answer, service: { cpuMs: cpuMsOf(id) - cpu, peakBytes } };
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** Resolves when a process has done nothing from one look to the next. */
async function untilIdle(id: number): Promise<void> {
  for (let before = Number.NaN; cpuMsOf(id) !== before; await sleep(LOOK_EVERY_MS)) before = cpuMsOf(id);
}
