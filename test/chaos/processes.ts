import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inTime, type Judge, Verdict } from './judge.js';

const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const CLOCK = fileURLToPath(new URL('clock.mjs', import.meta.url));

/** What became of a command. */
export interface Ending {
  /** Null after a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command as a process, with a wall clock that can be set. */
export class CommandProcess {
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  readonly #output = { stdout: '', stderr: '' };

  constructor(args: readonly string[], onStderr: (text: string) => void = () => {}) {
    this.#child = spawn(process.execPath, ['--import', CLOCK, COMMAND, ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child.stdout!.on('data', (text) => {
      this.#output.stdout += String(text);
    });
    this.#child.stderr!.on('data', (text) => {
      this.#output.stderr = (this.#output.stderr + String(text)).slice(-20_000);
      onStderr(String(text));
    });
    this.ended = once(this.#child, 'close').then(([code]) => ({
      code: code as number | null,
      ...this.#output,
    }));
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** The end of what it has written so far. */
  get lastWords(): string {
    return `${this.#output.stdout}${this.#output.stderr}`.trim().slice(-200);
  }

  setClock(offsetMs: number): void {
    if (this.#child.connected) this.#child.send(offsetMs, () => {});
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Waits for a line on standard output. @throws Error when the process ends before */
  async said(pattern: RegExp): Promise<RegExpExecArray> {
    const ended = this.ended.then(({ stderr }) => {
      throw new Error(`ended before it said ${pattern}: ${stderr}`);
    });
    for (;;) {
      const match = pattern.exec(this.#output.stdout);
      if (match !== null) return match;
      await Promise.race([once(this.#child.stdout!, 'data'), ended]);
    }
  }
}

/** Runs a command to its end. @throws Verdict when it hangs */
export async function runCommand(args: readonly string[], clockMs = 0): Promise<Ending> {
  const command = new CommandProcess(args);
  command.setClock(clockMs);
  try {
    return await inTime(`cropframe ${args[0]}`, command.ended);
  } finally {
    command.signal('SIGKILL');
  }
}

const MAX_STOP_MS = 20_000;

/** `cropframe serve` of one store on one port, which is killed and started again. */
export class ServiceProcess {
  readonly #store: string;
  readonly #port: number;
  readonly #judge: Judge;
  #process: CommandProcess | null = null;
  #clockMs = 0;
  #memoryMiB = 0;

  constructor(store: string, port: number, judge: Judge) {
    [this.#store, this.#port, this.#judge] = [store, port, judge];
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get isRunning(): boolean {
    return this.#process !== null;
  }

  /** The largest memory that the process has been seen with. */
  get maxMemoryMiB(): number {
    return this.#memoryMiB;
  }

  async start(): Promise<void> {
    const args = ['serve', '--store', this.#store, '--port', String(this.#port), '--allow-import'];
    let rest = '';
    const started = new CommandProcess([...args, '--metrics', '--stop-within', '5'], (text) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop()!;
      for (const line of lines) this.#readLog(line);
    });
    started.setClock(this.#clockMs);
    await inTime('the start of the service', started.said(/listening on /));
    this.#process = started;
    void started.ended.then(({ code, stderr }) => {
      if (this.#process === started)
        this.#judge.condemn(
          new Verdict('other error', `the service ended by itself with ${code}: ${stderr}`),
        );
    });
  }

  /** Ends it at once, as a loss of power does. */
  async kill(): Promise<void> {
    const killed = this.#process!;
    this.#process = null;
    killed.signal('SIGKILL');
    await killed.ended;
    this.#judge.count('SIGKILLs of the service');
  }

  /** Ends it as an administrator does. @throws Verdict when it hangs, or reports a failure */
  async stop(): Promise<void> {
    const stopped = this.#process!;
    this.#process = null;
    stopped.signal('SIGTERM');
    const { code, stderr } = await inTime('the stop of the service', stopped.ended, MAX_STOP_MS);
    if (code !== 0)
      throw new Verdict('other error', `the service stopped with ${code}: ${stderr.slice(-2000)}`);
    this.#judge.count('stops of the service');
  }

  setClock(offsetMs: number): void {
    this.#clockMs = offsetMs;
    this.#process?.setClock(offsetMs);
  }

  get clockMs(): number {
    return this.#clockMs;
  }

  observeMemory(): void {
    if (this.#process === null) return;
    try {
      const status = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8');
      this.#memoryMiB = Math.max(this.#memoryMiB, Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // It has just ended, or the system has no such file.
    }
  }

  /** An answer of 5xx has a cause only where all places are taken for longer than a request may wait. */
  #readLog(line: string): void {
    if (!line.startsWith('{')) {
      if (line.trim() !== '' && !/^(press Ctrl-C|warning: )/.test(line))
        this.#judge.condemn(new Verdict('other error', `the service said: ${line}`));
      return;
    }
    const { status, failure, path } = JSON.parse(line) as {
      status?: number;
      failure?: string;
      path?: string;
    };
    if (status === undefined) return;
    this.#judge.count('requests that the service answered');
    if (status === 503 && failure?.includes('the service is busy') === true)
      this.#judge.count('requests that waited too long for a place');
    else if (status >= 500)
      this.#judge.condemn(
        new Verdict('5xx without cause', `${status} of ${path}: ${failure ?? 'no reason in the log'}`),
      );
  }
}
