import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withPeak } from './measure.js';

/** An answer of another process, with the time and the memory that it took there. */
export interface Measured<Answer> {
  readonly answer: Answer;
  readonly ms: number;
  readonly peakBytes: number;
}

type Reply<Answer> = Measured<Answer> | { readonly failed: string };

/** A process that does one kind of task and nothing else. */
export class Child<Task extends object, Answer> {
  readonly #process: ChildProcess;

  /** @param module calls `serveTasks` */
  constructor(module: URL) {
    this.#process = fork(fileURLToPath(module), { execArgv: ['--import', 'tsx', '--expose-gc'] });
  }

  async run(task: Task): Promise<Measured<Answer>> {
    this.#process.send(task);
    const ended = new AbortController();
    const reply = once(this.#process, 'message', ended).then(([message]) => message as Reply<Answer>);
    const exit = once(this.#process, 'exit', ended).then(
      ([code]): Reply<Answer> => ({ failed: `the process ended with ${code}` }),
    );
    const answered = await Promise.race([reply, exit]);
    ended.abort();
    await Promise.allSettled([reply, exit]);
    if ('failed' in answered) throw new Error(answered.failed);
    return answered;
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }
}

/**
 * Does the tasks of the parent process one after another, and measures each.
 * @param describe makes the answer from the outcome, outside the measurement
 * @param prepare is called before the measurement
 */
export function serveTasks<Task, Outcome, Answer>(
  run: (task: Task) => Promise<Outcome>,
  describe: (outcome: Outcome) => Answer | Promise<Answer>,
  prepare: (task: Task) => void = () => {},
): void {
  process.on('message', async (task: Task) => {
    try {
      prepare(task);
      let ms = 0;
      const { answer: outcome, peakBytes } = await withPeak(async () => {
        const began = performance.now();
        const done = await run(task);
        ms = performance.now() - began;
        return done;
      });
      process.send!({ answer: await describe(outcome), ms, peakBytes } satisfies Reply<Answer>);
    } catch (error) {
      process.send!({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}
