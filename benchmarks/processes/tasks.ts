import { withPeak } from '../measure.js';

/** What a process of its own measures while it does a task. */
export interface Measured<Answer> {
  readonly answer: Answer;
  readonly ms: number;
  /** Processor time of all its threads. */
  readonly cpuMs: number;
  readonly peakBytes: number;
}

/** What a worker answers. */
export type Reply<Answer> = Measured<Answer> | { readonly failed: string };

/**
 * Does the tasks that the parent process sends, one after another, and measures each.
 * @param run does the work that is measured
 * @param describe what is told about the outcome, outside the measurement
 */
export function serveTasks<Task, Outcome, Answer>(
  run: (task: Task) => Promise<Outcome>,
  describe: (outcome: Outcome, task: Task) => Answer | Promise<Answer>,
): void {
  process.on('message', async (task: Task) => {
    try {
      let ms = 0;
      let cpuMs = 0;
      const { answer: outcome, peakBytes } = await withPeak(async () => {
        const [began, cpu] = [performance.now(), process.cpuUsage()];
        const done = await run(task);
        const { user, system } = process.cpuUsage(cpu);
        ms = performance.now() - began;
        cpuMs = (user + system) / 1_000;
        return done;
      });
      const answer = await describe(outcome, task);
      process.send!({ answer, ms, cpuMs, peakBytes } satisfies Reply<Answer>);
    } catch (error) {
      process.send!({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}
