import { isMainThread } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

/** For `node --import`: threads that the sources start load TypeScript, which `--import tsx` gives the main thread alone. */
if (!isMainThread) register();
