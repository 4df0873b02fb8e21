import { type MessagePort, parentPort } from 'node:worker_threads';
import { IMPORTERS } from '../datasets.js';
import type { ImportBatch, ImporterInput } from '../importer.js';
import type { FromThread, Reply, StoreQuestions, ToThread } from './messages.js';
import { receivedError, sentError } from './sent-errors.js';
import { memoryOf, splitBatch, splitContents } from './split-batch.js';

/** The program of the thread that `ThreadedReading` starts: it reads the files of one import after the other. */
class ReadingProgram {
  readonly #store: StoreCalls;
  #parts: AsyncIterator<ImportBatch> | null = null;
  /** The next part, which is read while the last one is written. */
  #next: Promise<IteratorResult<ImportBatch>> | null = null;
  #contents: AsyncIterator<Contents> | null = null;

  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    this.#port = port;
    this.#store = new StoreCalls(port);
    port.on('message', (message: ToThread) => {
      if (message.kind === 'answer' || message.kind === 'refused') this.#store.answered(message);
      else void this.#reply(message);
    });
  }

  async #reply(asked: Exclude<ToThread, { kind: 'answer' | 'refused' }>): Promise<void> {
    try {
      if (asked.kind === 'read') this.#begin(asked);
      const reply = await (asked.kind === 'contents' ? this.#nextContents() : this.#nextBatch());
      this.#send(reply, reply.kind === 'batch' ? memoryOf(reply.batch) : []);
    } catch (error) {
      this.#send({ kind: 'failed', error: sentError(error) }, []);
    }
  }

  #begin({ dataset, files, importedMs, settings }: Extract<ToThread, { kind: 'read' }>): void {
    const input = { files, importedMs, settings, ...this.#store.input };
    this.#parts = partsOf(IMPORTERS.get(dataset)!.read(input));
    this.#next = null;
  }

  async #nextBatch(): Promise<Reply> {
    const { done, value } = await (this.#next ?? this.#parts!.next());
    this.#contents = null;
    if (done === true) return { kind: 'end' };
    this.#next = this.#parts!.next();
    // Its failure is told when it is asked for.
    this.#next.catch(() => {});
    if (value.digest === undefined) return { kind: 'batch', batch: value, hasContents: false };
    const { entities, shapes, contents, ...batch } = value;
    this.#contents = inParts(contents?.() ?? [{ entities, shapes }]);
    return { kind: 'batch', batch, hasContents: true };
  }

  async #nextContents(): Promise<Reply> {
    const { done, value } = await this.#contents!.next();
    return done === true ? { kind: 'end' } : { kind: 'part', part: value };
  }

  #send(message: FromThread, memory: ArrayBuffer[]): void {
    this.#port.postMessage(message, memory);
  }
}

async function* partsOf(batches: AsyncIterable<ImportBatch>): AsyncGenerator<ImportBatch, void, void> {
  for await (const batch of batches) yield* splitBatch(batch);
}

type Contents = Pick<ImportBatch, 'entities' | 'shapes'>;

async function* inParts(
  all: Iterable<Contents> | AsyncIterable<Contents>,
): AsyncGenerator<Contents, void, void> {
  for await (const contents of all) yield* splitContents(contents);
}

interface Call {
  readonly items: unknown[];
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** What the importer asks of the store, answered by the other thread. */
class StoreCalls {
  readonly #calls = new Map<number, Call>();
  #last = 0;

  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  /** The store, as importers take it. */
  get input(): Pick<ImporterInput, 'documents' | 'names' | 'identities' | 'lookup'> {
    const asked =
      <Name extends keyof StoreQuestions>(name: Name) =>
      (...args: Parameters<StoreQuestions[Name]>) =>
        this.#ask(name, args) as never;
    return {
      documents: asked('searchDocuments'),
      names: {
        namesChecksum: asked('namesChecksum'),
        pointCounts: asked('pointCounts'),
        searchDocuments: asked('searchDocuments'),
        kept: { read: asked('readKept'), write: asked('writeKept') },
      },
      identities: asked('identities'),
      lookup: asked('lookup'),
    };
  }

  #ask(name: keyof StoreQuestions, args: readonly unknown[]): Promise<unknown> {
    const call = this.#last++;
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { items: [], resolve, reject });
      this.#port.postMessage({ kind: 'call', call, name, args } satisfies FromThread);
    });
  }

  answered(message: Extract<ToThread, { kind: 'answer' | 'refused' }>): void {
    const call = this.#calls.get(message.call)!;
    if (message.kind === 'refused') {
      this.#calls.delete(message.call);
      call.reject(receivedError(message.error));
      return;
    }
    for (const item of message.items) call.items.push(item);
    if (!message.isLast) return;
    this.#calls.delete(message.call);
    const { items } = call;
    if (message.shape === 'value') call.resolve(items[0]);
    else call.resolve(message.shape === 'list' ? items : new Map(items as [unknown, unknown][]));
  }
}

if (parentPort !== null) new ReadingProgram(parentPort);
