import { linkedAbort } from '../http/cancellable.js';

/** Most steps under way before the consumer asks for them. */
const MAX_AHEAD = 8;

/**
 * The results of steps, in order. The first is started alone; the further the consumer goes, the more steps are started
 * before they are asked for, so that stopping early costs little and going on costs no waiting. Leaving the sequence
 * aborts what is under way.
 */
export async function* prefetch<Step, Result>(
  steps: readonly Step[],
  run: (step: Step, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Result, void, undefined> {
  const leaving = linkedAbort(signal);
  const underWay: Promise<Result>[] = [];
  let next = 0;
  try {
    for (let taken = 0; taken < steps.length; taken++) {
      const wanted = Math.min(steps.length, taken + Math.min(taken + 1, MAX_AHEAD));
      for (; next < wanted; next++) {
        const result = run(steps[next]!, leaving.signal);
        result.catch(() => {});
        underWay.push(result);
      }
      yield await underWay.shift()!;
    }
  } finally {
    leaving.abort(new DOMException('the sequence was left', 'AbortError'));
    leaving.unlink();
  }
}
