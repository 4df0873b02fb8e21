import { TimeoutError } from '../../model/errors.js';
import { linkedAbort } from './cancellable.js';

/**
 * Runs a step, and aborts it when nothing arrives for `timeoutMs`; the step calls `alive` whenever something does. A long
 * answer has no time limit, yet a hung connection is detected.
 * @throws TimeoutError, the signal's reason, or what the step throws
 */
export async function withIdleTimeout<Result>(
  { name, timeoutMs, signal }: { name: string; timeoutMs: number; signal: AbortSignal | undefined },
  step: (signal: AbortSignal, alive: () => void) => Promise<Result>,
): Promise<Result> {
  const linked = linkedAbort(signal);
  let heardAt = performance.now();
  let timer: ReturnType<typeof setTimeout>;
  const check = (): void => {
    const left = heardAt + timeoutMs - performance.now();
    if (left > 0) timer = setTimeout(check, left);
    else linked.abort(new TimeoutError(timeoutMs, `${name}: nothing arrived for ${timeoutMs} ms`));
  };
  timer = setTimeout(check, timeoutMs);
  try {
    return await step(linked.signal, () => {
      heardAt = performance.now();
    });
  } catch (error) {
    throw linked.signal.aborted ? linked.signal.reason : error;
  } finally {
    clearTimeout(timer);
    linked.unlink();
  }
}
