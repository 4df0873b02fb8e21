import type { Plugin } from 'vitest/config';
import { type PoolOptions, type PoolWorker, ThreadsPoolWorker, type WorkerRequest } from 'vitest/node';

/** A thread is replaced after so many runs: each leaves a copy of its test files in memory. */
const MAX_RUNS = 200;

/** The thread that the next run takes over, with all modules it has loaded. */
let kept: { readonly thread: ThreadsPoolWorker; runs: number } | null = null;

/**
 * A thread that outlives its run. Vitest starts a new one for every run, and Stryker runs once for every mutant; loading
 * the modules again would take most of the time. Which mutant is active is a variable that the modules read, so that they
 * need loading again only for what they compute once, as they load: those mutants get a thread of their own.
 */
class WarmThread implements PoolWorker {
  readonly name = 'warm-thread';
  readonly #options: PoolOptions;
  readonly #listeners: [event: string, callback: (message: unknown) => void][] = [];
  #thread: ThreadsPoolWorker | null = null;
  #isNew = false;
  #isStopped = false;
  #config: unknown;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (kept !== null && (this.#isStatic() || kept.runs >= MAX_RUNS)) await dropThread();
    this.#isNew = kept === null;
    kept ??= { thread: new ThreadsPoolWorker(this.#options), runs: 0 };
    kept.runs++;
    this.#thread = kept.thread;
    if (this.#isNew) await this.#thread.start();
  }

  send(message: WorkerRequest): void {
    if (message.type === 'stop') {
      this.#isStopped = true;
      this.#answer('stopped');
    } else if (message.type === 'start') {
      this.#config = message.context.config;
      if (this.#isNew) this.#thread?.send(message);
      else this.#answer('started');
    } else if (message.type === 'run') {
      // A thread knows the configuration of its start, but the names of the tests to run are part of it.
      this.#thread?.send({
        ...message,
        context: { ...message.context, config: this.#config },
      } as WorkerRequest);
    } else {
      this.#thread?.send(message);
    }
  }

  /** Answers as the thread would: it has started already, and does not stop. */
  #answer(type: 'started' | 'stopped'): void {
    const response = { type, __vitest_worker_response__: true };
    setImmediate(() => {
      for (const [event, callback] of this.#listeners) if (event === 'message') callback(response);
    });
  }

  on(event: string, callback: (message: unknown) => void): void {
    this.#listeners.push([event, callback]);
    this.#thread?.on(event, callback);
  }

  off(event: string, callback: (message: unknown) => void): void {
    this.#thread?.off(event, callback);
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  async stop(): Promise<void> {
    for (const [event, callback] of this.#listeners) this.#thread?.off(event, callback);
    this.#listeners.length = 0;
    if (this.#isStatic() || !this.#isStopped) await dropThread();
  }

  #isStatic(): boolean {
    return this.#options.project.getProvidedContext().mutantActivation === 'static';
  }
}

async function dropThread(): Promise<void> {
  const dropped = kept;
  kept = null;
  await dropped?.thread.stop();
}

/** Makes a run take its threads from here, whatever pool the caller of Vitest names. */
export function warmThreads(): Plugin {
  return {
    name: 'warm-threads',
    configureVitest({ project }) {
      project.config.pool = 'warm-thread';
      project.config.poolRunner = {
        name: 'warm-thread',
        createPoolWorker: (options) => new WarmThread(options),
      };
    },
  };
}
