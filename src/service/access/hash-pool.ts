import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { RateLimitError } from '../../model/errors.js';

/** One computation of scrypt. */
export interface HashJob {
  readonly password: string;
  readonly salt: Uint8Array;
  readonly bytes: number;
  readonly cost: { readonly N: number; readonly r: number; readonly p: number };
}

/** Who waits for a computation. */
export interface HashWaiter {
  /** Waiters of different lanes take turns: an address, for logins. */
  readonly lane?: string | undefined;
  /** Aborting it gives the place in the queue up. */
  readonly signal?: AbortSignal | undefined;
}

interface Waiting extends HashWaiter {
  readonly job: HashJob;
  resolve(hash: Uint8Array): void;
  reject(error: unknown): void;
}

/** A quarter of the processors hashes passwords, so that the rest answers requests. */
const MAX_WORKERS = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 4)));
const MAX_WAITING = 32;
const MAX_WAITING_IN_LANE = 8;

/** A worker without work for this long ends. */
const IDLE_MS = 30_000;

/** What a hash takes before any has been measured. */
const GUESSED_MS = 100;

/**
 * The program of a worker, which is no module so that it needs no file of its own beside the compiled one. Where threads
 * have priorities of their own (Linux), it works at a lower one.
 */
const WORKER = `
const { parentPort } = require('node:worker_threads');
const { scryptSync } = require('node:crypto');
const os = require('node:os');
if (process.platform === 'linux') try { os.setPriority(0, 5); } catch {}
parentPort.on('message', ({ password, salt, bytes, cost }) => {
  try {
    const maxmem = 256 * cost.r * (cost.N + cost.p + 64);
    parentPort.postMessage({ hash: scryptSync(password, salt, bytes, { ...cost, maxmem }) });
  } catch (error) {
    parentPort.postMessage({ error });
  }
});`;

/**
 * Hashes passwords in threads of its own. The pool of threads that Node shares among everything would make requests for
 * data wait for hashes: the engine of the store works in it.
 */
export class HashPool {
  readonly #lanes = new Map<string, Waiting[]>();
  readonly #idle: { worker: Worker; timer: NodeJS.Timeout }[] = [];
  #waiting = 0;
  #busy = 0;
  #averageMs = GUESSED_MS;

  get running(): number {
    return this.#busy;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** @throws RateLimitError at once when too many wait, in all or in the lane; the signal's reason */
  hash(job: HashJob, waiter: HashWaiter = {}): Promise<Uint8Array> {
    const { lane = '', signal } = waiter;
    const inLane = this.#lanes.get(lane) ?? [];
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.#waiting >= MAX_WAITING || inLane.length >= MAX_WAITING_IN_LANE)
      return Promise.reject(this.#full());
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { job, lane, signal, resolve, reject };
      this.#lanes.set(lane, [...inLane, waiting]);
      this.#waiting++;
      signal?.addEventListener('abort', () => this.#giveUp(waiting), { once: true });
      this.#work();
    });
  }

  #full(): RateLimitError {
    const waitMs = Math.ceil(((this.#waiting + this.#busy) * this.#averageMs) / MAX_WORKERS);
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    const message = `too many logins at once; try again in ${seconds} s`;
    return new RateLimitError(429, '/api-token', message, seconds * 1000);
  }

  #giveUp(waiting: Waiting): void {
    const lane = waiting.lane ?? '';
    const others = this.#lanes.get(lane) ?? [];
    if (!others.includes(waiting)) return;
    this.#setLane(
      lane,
      others.filter((other) => other !== waiting),
    );
    this.#waiting--;
    waiting.reject(waiting.signal?.reason);
  }

  #setLane(lane: string, waiting: Waiting[]): void {
    this.#lanes.delete(lane);
    if (waiting.length > 0) this.#lanes.set(lane, waiting);
  }

  #work(): void {
    while (this.#busy < MAX_WORKERS) {
      const [first] = this.#lanes;
      if (first === undefined) return;
      const [lane, [next, ...others]] = first;
      // The lane goes to the end of the row.
      this.#setLane(lane, others);
      this.#waiting--;
      this.#busy++;
      void this.#run(next!).finally(() => {
        this.#busy--;
        this.#work();
      });
    }
  }

  async #run({ job, resolve, reject }: Waiting): Promise<void> {
    const worker = this.#takeWorker();
    const started = performance.now();
    try {
      resolve(await askWorker(worker, job));
      this.#averageMs += (performance.now() - started - this.#averageMs) / 8;
      this.#keepWorker(worker);
    } catch (error) {
      reject(error);
      void worker.terminate();
    }
  }

  #takeWorker(): Worker {
    const idle = this.#idle.pop();
    if (idle === undefined) return new Worker(WORKER, { eval: true, execArgv: [] });
    clearTimeout(idle.timer);
    idle.worker.ref();
    return idle.worker;
  }

  /** An idle worker does not keep the process running. */
  #keepWorker(worker: Worker): void {
    worker.unref();
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((idle) => idle.worker === worker),
        1,
      );
      void worker.terminate();
    }, IDLE_MS);
    timer.unref();
    this.#idle.push({ worker, timer });
  }
}

function askWorker(worker: Worker, job: HashJob): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void): void => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      done();
    };
    const onMessage = ({ hash, error }: { hash?: Uint8Array; error?: unknown }): void =>
      settle(() => (hash === undefined ? reject(error) : resolve(hash)));
    const onError = (error: unknown): void => settle(() => reject(error));
    const onExit = (): void => settle(() => reject(new Error('the thread that hashes passwords has ended')));
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(job);
  });
}
