/** Long work that pauses at each `yield`, so that other work can have its turn. */
export type Work<Result> = Generator<void, Result, void>;

/** Does all of it at once. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** @param pause awaited at each pause of the work */
export async function finishInTurns<Result>(work: Work<Result>, pause: () => Promise<void>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await pause();
  }
}
