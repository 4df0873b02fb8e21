import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect } from 'vitest';
import { NIGHT } from './endurance.js';

/** For properties that set no number of their own. */
fc.configureGlobal({ numRuns: NIGHT ? 400 : 25 });

/** What the test files of a worker share: a file that changes it changes the files after it. */
const SHARED: Readonly<Record<string, () => unknown>> = {
  setTimeout: () => setTimeout,
  clearTimeout: () => clearTimeout,
  setInterval: () => setInterval,
  setImmediate: () => setImmediate,
  queueMicrotask: () => queueMicrotask,
  'process.nextTick': () => process.nextTick,
  'performance.now': () => performance.now,
  Date: () => Date,
  'Math.random': () => Math.random,
  fetch: () => fetch,
  'process.env': environment,
  'process.cwd()': () => process.cwd(),
  'the listeners of SIGINT': () => process.listenerCount('SIGINT'),
  'the listeners of SIGTERM': () => process.listenerCount('SIGTERM'),
  'the number of listening servers': () =>
    process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length,
};

/** Vitest numbers the workers in variables of its own. */
function environment(): string {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  return JSON.stringify(own.sort());
}

interface WorkerState {
  readonly found: ReadonlyMap<string, unknown>;
  lastFile: string;
  /** What is wrong with the worker since some file; every later one fails with it. */
  fault: string | null;
}

const worker = globalThis as {
  cropframeWorker?: WorkerState;
  cropframeWatchdog?: ReturnType<typeof setTimeout>;
};

/** Tests and hooks have time limits, but what a file imports has none. */
const MAX_FILE_MS = 15 * 60_000;
clearTimeout(worker.cropframeWatchdog);
worker.cropframeWatchdog = setTimeout(() => {
  const last = worker.cropframeWorker?.lastFile ?? 'no file';
  writeSync(
    2,
    `a test file has not ended after ${MAX_FILE_MS} ms; the last one that began its tests: ${last}\n`,
  );
  process.kill(process.pid, 'SIGKILL');
}, MAX_FILE_MS).unref();

/** Vitest restores spies after the last hook of a file, so that what the file left shows only before the next one. */
beforeAll(() => {
  const found = new Map(Object.entries(SHARED).map(([name, read]) => [name, read()]));
  worker.cropframeWorker ??= { found, lastFile: '', fault: null };
  const state = worker.cropframeWorker;
  const changed = [...found.keys()].filter((name) => found.get(name) !== state.found.get(name));
  if (changed.length > 0) {
    state.fault ??= `${state.lastFile} leaves ${changed.join(', ')} changed for the files after it; restore it there`;
  }
  state.lastFile = relative(process.cwd(), expect.getState().testPath ?? '');
  if (state.fault !== null) throw new Error(state.fault);
});
