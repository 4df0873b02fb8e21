import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { CropframeError } from '../../model/errors.js';
import { turns } from '../../store/turns.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import type { AnswerShape, FromThread, Reply, StoreQuestions, ToThread } from './messages.js';
import { receivedError, sentError } from './sent-errors.js';

/** A thread without work for this long ends. */
const IDLE_MS = 60_000;

/** Items of one message: as many are copied in a few milliseconds. */
const MAX_ITEMS = 2_000;

/** Reads files in a thread of its own, so that the thread that serves only writes what is read, a small part at a time. */
export class ThreadedReading {
  #idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout } | null = null;

  readonly #limits: ResourceLimits;

  /** @param limits of the thread's heap; Node's own by default */
  constructor(limits: ResourceLimits = {}) {
    this.#limits = limits;
  }

  /** The importer, which reads in a thread. */
  importer(importer: Importer): Importer {
    return { ...importer, read: (input) => this.#read(importer.dataset, input) };
  }

  /** Ends the idle thread. */
  async close(): Promise<void> {
    clearTimeout(this.#idle?.timer);
    await this.#idle?.worker.terminate();
    this.#idle = null;
  }

  async *#read(dataset: string, input: ImporterInput): AsyncGenerator<ImportBatch> {
    const { files, importedMs, settings } = input;
    const worker = this.#take();
    const talk = new Conversation(worker, input);
    let hasEnded = false;
    try {
      let reply = await talk.ask({ kind: 'read', dataset, files, importedMs, settings });
      while (reply.kind === 'batch') {
        const { batch, hasContents } = reply;
        await turns.next();
        yield hasContents ? { ...batch, contents: () => contentsOf(talk) } : batch;
        reply = await talk.ask({ kind: 'next' });
      }
      hasEnded = true;
    } finally {
      talk.close();
      if (hasEnded) this.#keep(worker);
      else await worker.terminate();
    }
  }

  #take(): Worker {
    if (this.#idle === null) return this.#start();
    const { worker, timer } = this.#idle;
    this.#idle = null;
    clearTimeout(timer);
    worker.ref();
    return worker;
  }

  /** A thread that ends while it is idle is forgotten; a conversation has listeners of its own. */
  #start(): Worker {
    const worker = new Worker(programOfThread(), { resourceLimits: this.#limits });
    const forget = (): void => {
      if (this.#idle?.worker !== worker) return;
      clearTimeout(this.#idle.timer);
      this.#idle = null;
    };
    return worker.on('error', forget).on('exit', forget);
  }

  /** An idle thread does not keep the process running. */
  #keep(worker: Worker): void {
    if (this.#idle !== null) {
      void worker.terminate();
      return;
    }
    worker.unref();
    const timer = setTimeout(() => void this.close(), IDLE_MS).unref();
    this.#idle = { worker, timer };
  }
}

/** Built, or a source as this file is. */
function programOfThread(): string {
  const extension = extname(import.meta.url);
  const root = dirname(createRequire(import.meta.url).resolve('cropframe/package.json'));
  const folder = join(root, extension === '.ts' ? 'src' : 'dist', 'ingest/thread');
  return join(folder, `reading-thread${extension}`);
}

/** The entities and shapes of a batch, which are sent where the store needs them. */
async function* contentsOf(talk: Conversation): AsyncGenerator<Pick<ImportBatch, 'entities' | 'shapes'>> {
  for (;;) {
    const reply = await talk.ask({ kind: 'contents' });
    if (reply.kind !== 'part') return;
    await turns.next();
    yield reply.part;
  }
}

/** Asks a thread for one thing after the other, and answers what it asks meanwhile. */
class Conversation {
  #settle: { resolve(reply: Reply): void; reject(error: unknown): void } | null = null;
  #failure: { readonly error: unknown } | null = null;
  readonly #questions: StoreQuestions;

  readonly #worker: Worker;
  readonly #signal: AbortSignal | undefined;

  constructor(worker: Worker, input: ImporterInput) {
    this.#worker = worker;
    this.#signal = input.signal;
    this.#questions = questionsOf(input);
    worker.on('message', this.#onMessage);
    worker.on('error', this.#onError);
    worker.on('exit', this.#onExit);
    this.#signal?.addEventListener('abort', this.#onAbort);
  }

  close(): void {
    this.#worker.off('message', this.#onMessage);
    this.#worker.off('error', this.#onError);
    this.#worker.off('exit', this.#onExit);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  /** @throws what the thread failed with, or the reason of the signal */
  async ask(message: ToThread): Promise<Reply> {
    this.#signal?.throwIfAborted();
    const reply = await new Promise<Reply>((resolve, reject) => {
      if (this.#failure !== null) reject(this.#failure.error);
      this.#settle = { resolve, reject };
      this.#worker.postMessage(message);
    });
    if (reply.kind === 'failed') throw receivedError(reply.error);
    return reply;
  }

  readonly #onMessage = (message: FromThread): void => {
    if (message.kind === 'call') void this.#answer(message);
    else this.#settle?.resolve(message);
  };

  readonly #onAbort = (): void => this.#fail(this.#signal?.reason);

  readonly #onExit = (): void => this.#fail(new Error('the thread that reads the files has ended'));

  readonly #onError = (error: NodeJS.ErrnoException): void => {
    const tooLarge =
      'reading the files takes more memory than there is; import fewer or smaller files at a time';
    const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.#fail(isFull ? new CropframeError('too_large', tooLarge, { cause: error }) : error);
  };

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#settle?.reject(this.#failure.error);
  }

  async #answer({ call, name, args }: Extract<FromThread, { kind: 'call' }>): Promise<void> {
    try {
      const ask = this.#questions[name] as (...args: readonly unknown[]) => Promise<unknown>;
      await this.#send(call, await ask(...args));
    } catch (error) {
      this.#worker.postMessage({ kind: 'refused', call, error: sentError(error) } satisfies ToThread);
    }
  }

  async #send(call: number, value: unknown): Promise<void> {
    const [shape, items] = itemsOf(value);
    for (let at = 0; at === 0 || at < items.length; at += MAX_ITEMS) {
      await turns.next();
      const part = items.slice(at, at + MAX_ITEMS);
      const isLast = at + MAX_ITEMS >= items.length;
      this.#worker.postMessage({ kind: 'answer', call, shape, items: part, isLast } satisfies ToThread);
    }
  }
}

function itemsOf(value: unknown): [shape: AnswerShape, items: readonly unknown[]] {
  if (Array.isArray(value)) return ['list', value];
  return value instanceof Map ? ['map', [...value]] : ['value', [value]];
}

/** What a thread may ask, answered by what an import gives its importer. */
function questionsOf({ names, identities, lookup }: ImporterInput): StoreQuestions {
  if (names === undefined || identities === undefined || lookup === undefined)
    throw new Error('a thread reads for imports into a store alone');
  return {
    identities,
    lookup,
    searchDocuments: (type) => names.searchDocuments(type),
    pointCounts: (type) => names.pointCounts(type),
    namesChecksum: (type) => names.namesChecksum(type),
    readKept: (name) => names.kept.read(name),
    writeKept: (name, bytes) => names.kept.write(name, bytes),
  };
}
