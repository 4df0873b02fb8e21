/** An abort controller that also follows another signal. */
interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Stops following the other signal. */
  unlink(): void;
}

/** Follows a signal that may outlive the work: call `unlink` when the work is over. */
export function linkedAbort(signal: AbortSignal | undefined): LinkedAbort {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) follow();
  else signal?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => signal?.removeEventListener('abort', follow),
  };
}

/** Settles as the promise does, or rejects with the signal's reason as soon as it aborts. */
export function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
