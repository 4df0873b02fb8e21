import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Measured, Reply } from './tasks.js';

/** A process of its own that does tasks, so that what other work left in memory does not count. */
export class Worker<Task extends object, Answer> {
  readonly #child: ChildProcess;

  /** @param module runs `serveTasks` */
  constructor(module: URL) {
    this.#child = fork(fileURLToPath(module), { execArgv: ['--import', 'tsx', '--expose-gc'] });
  }

  async run(task: Task): Promise<Measured<Answer>> {
    this.#child.send(task);
    const ended = new AbortController();
    const reply = once(this.#child, 'message', ended).then(([message]) => message as Reply<Answer>);
    const exit = once(this.#child, 'exit', ended).then(([code]): Reply<Answer> => {
      return { failed: `a process of the benchmark ended with ${code}` };
    });
    const answered = await Promise.race([reply, exit]);
    ended.abort();
    await Promise.allSettled([reply, exit]);
    if ('failed' in answered) throw new Error(answered.failed);
    return answered;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }
}
