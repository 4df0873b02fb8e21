import type { FrameRead, FrameTask } from '../processes/frame-process.js';
import { ServedStore, type ServiceUsage } from '../processes/served-store.js';
import type { Measured } from '../processes/tasks.js';
import { Worker } from '../processes/worker.js';
import { copyStore } from '../stores/own-copy.js';

/** Where `getDf` asks: a service in another process, or one in its own. */
export type Place = 'loopback' | 'embedded';

/** A frame, what getting it took, and what the service took where it is another process. */
export type Got = Measured<FrameRead> & { readonly service: ServiceUsage | null };

/** `getDf` in a process of its own. */
export interface FrameGetter {
  get(): Promise<Got>;
  /** Where the service answers; null where it is embedded. */
  readonly url: string | null;
  close(): Promise<void>;
}

/** Opens the client in its process, and the service where it is asked for. */
export async function frameGetter(task: Omit<FrameTask, 'url'>, place: Place): Promise<FrameGetter> {
  const served = place === 'loopback' ? await ServedStore.start(task.file) : null;
  const copy = served === null ? copyStore(task.file) : null;
  const worker = new Worker<FrameTask, FrameRead>(new URL('../processes/frame-process.ts', import.meta.url));
  const whole = { ...task, url: served?.url ?? null, file: copy?.path ?? task.file };
  await worker.run({ ...whole, open: true });
  return {
    url: whole.url,
    async get() {
      if (served === null) return { ...(await worker.run(whole)), service: null };
      const { answer, service } = await served.during(() => worker.run(whole));
      return { ...answer, service };
    },
    async close() {
      await worker.close();
      await served?.close();
      copy?.remove();
    },
  };
}
