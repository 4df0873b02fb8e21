import { CropframeError } from '../../model/errors.js';
import type { ImportWatch, RejectedLine } from '../../model/importing/job.js';
import type { Progress } from '../../model/progress.js';

/** A line is sent at least this often, so that neither side takes the other for gone. */
const HEARTBEAT_MS = 10_000;

/** More rejected rows than this are counted in the report, and not sent. */
const MAX_REJECTED_ROWS = 100_000;

/** A long operation whose answer tells how it goes. */
interface LongAnswer {
  /** @returns the last line */
  run(watch: ImportWatch): Promise<object>;
  /** Called when the operation has ended and was told, or nobody listens any more. */
  readonly onEnd?: (() => Promise<void>) | undefined;
  /** Called with a fault of ours, which the answer does not explain. */
  readonly onFailure: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** The lines of a long operation: progress, then its result or its error. When the reader leaves, it is aborted. */
export async function* operationLines({ run, onEnd, onFailure, signal }: LongAnswer): AsyncGenerator<string> {
  const leaving = new AbortController();
  const news = new News();
  const ended = run({
    signal: AbortSignal.any([signal, leaving.signal]),
    onProgress: (progress) => news.tell(progress),
    onRejected: (rows) => news.reject(rows),
  })
    .catch((error: unknown) => {
      if (!isExplained(error) && !leaving.signal.aborted && !signal.aborted) onFailure(error);
      return { error: failureOf(error) };
    })
    .finally(() => news.end());
  try {
    for (let lines = await news.next(); lines !== null; lines = await news.next())
      yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    yield `${JSON.stringify(await ended)}\n`;
  } finally {
    leaving.abort();
    await ended;
    await onEnd?.();
  }
}

/** The holder of a right beyond reading is told why files or the store refuse. */
function isExplained(error: unknown): error is CropframeError {
  return error instanceof CropframeError;
}

function failureOf(error: unknown): { error: string; message: string } {
  if (isExplained(error)) return { error: error.code, message: error.message };
  const message = 'it failed for a reason that is in the log of the service, under the id of this request';
  return { error: 'internal', message: `${message}; nothing was changed` };
}

type Line = { readonly progress?: Progress; readonly rejected?: readonly RejectedLine[] };

/** The events between two reads: the last progress, and all rejected rows. */
class News {
  #progress: Progress | null = null;
  #rejected: RejectedLine[] = [];
  #sent = 0;
  #ended = false;
  #wake: () => void = () => {};

  tell(progress: Progress): void {
    this.#progress = progress;
    this.#wake();
  }

  reject(rows: readonly RejectedLine[]): void {
    const sent = rows.slice(0, MAX_REJECTED_ROWS - this.#sent);
    this.#sent += sent.length;
    for (const { file, line, reason, text } of sent) this.#rejected.push({ file, line, reason, text });
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The news since the last call, an empty line when there are none for long; null at the end. */
  async next(): Promise<Line[] | null> {
    if (this.#isEmpty() && !this.#ended) await this.#wait();
    if (this.#isEmpty()) return this.#ended ? null : [{}];
    const rejected = this.#rejected.length > 0 ? [{ rejected: this.#rejected }] : [];
    const lines = [...rejected, ...(this.#progress === null ? [] : [{ progress: this.#progress }])];
    this.#rejected = [];
    this.#progress = null;
    return lines;
  }

  #isEmpty(): boolean {
    return this.#progress === null && this.#rejected.length === 0;
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, HEARTBEAT_MS);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
    });
  }
}
