import { linkAbort } from '../../model/linked-abort.js';

/** The maximum number of steps that may run ahead of the consumer. */
const MAX_AHEAD = 8;

/**
 * Runs steps and yields their results in order. The first step runs alone. The more results the consumer takes, the
 * more steps run ahead, so that little work is wasted if the consumer stops early, which aborts all running steps.
 */
export async function* prefetch<Step, Result>(
  steps: readonly Step[],
  run: (step: Step, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Result, void, undefined> {
  const running = linkAbort(signal);
  const pending: Promise<Result>[] = [];
  let next = 0;
  try {
    for (let taken = 0; taken < steps.length; taken++) {
      const wanted = Math.min(steps.length, taken + Math.min(taken + 1, MAX_AHEAD));
      for (; next < wanted; next++) {
        const result = run(steps[next]!, running.signal);
        result.catch(() => {});
        pending.push(result);
      }
      yield await pending.shift()!;
    }
  } finally {
    running.abort(new DOMException('the sequence was left', 'AbortError'));
    running.unlink();
  }
}
