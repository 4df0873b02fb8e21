export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  unlink(): void;
}

/**
 * Creates an abort controller that aborts when any of `signals` does, until `unlink` is called. `AbortSignal.any` is
 * not used because it would leak memory in `signals`.
 */
export function linkAbort(...signals: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const unlinks = signals.map((signal) => signal && onAbort(signal, () => controller.abort(signal.reason)));
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => {
      for (const unlink of unlinks) unlink?.();
    },
  };
}

/** Calls `work` with a signal that aborts when any of `signals` does, and unlinks the signal when the work is done. */
export async function runUnderSignals<Result>(
  signals: readonly (AbortSignal | undefined)[],
  work: (linked: Omit<LinkedAbort, 'unlink'>) => Promise<Result>,
): Promise<Result> {
  const linked = linkAbort(...signals);
  try {
    return await work(linked);
  } finally {
    linked.unlink();
  }
}

type Listener = () => void;

/** The listeners for each signal. They share one event listener, because Node warns if a signal has more than ten. */
const waiting = new WeakMap<AbortSignal, { readonly all: Set<Listener>; readonly tell: Listener }>();

/** Calls a listener when a signal aborts, or at once if it already has. Returns a function to remove the listener. */
export function onAbort(signal: AbortSignal, listener: Listener): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const { all, tell } = waiting.get(signal) ?? listen(signal);
  // This is a new function, so that a listener that was added twice is called twice.
  const own = () => listener();
  all.add(own);
  return () => {
    if (!all.delete(own) || all.size > 0) return;
    waiting.delete(signal);
    signal.removeEventListener('abort', tell);
  };
}

function listen(signal: AbortSignal) {
  const all = new Set<Listener>();
  const tell = () => {
    waiting.delete(signal);
    for (const listener of all) listener();
  };
  const entry = { all, tell };
  waiting.set(signal, entry);
  signal.addEventListener('abort', tell, { once: true });
  return entry;
}
