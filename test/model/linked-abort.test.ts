import { EventEmitter, getEventListeners } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { linkAbort, runUnderSignals } from '../../src/model/linked-abort.js';

it('follows one signal by one listener, however many requests it is to end, and by none once they are over', () => {
  const { signal } = new AbortController();
  const linked = Array.from({ length: 3 * EventEmitter.defaultMaxListeners }, () => linkAbort(signal));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const one of linked) one.unlink();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('follows several signals while some work runs, whether it fails or not', async () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const listeners = () => [one, other].map(({ signal }) => getEventListeners(signal, 'abort').length);
  const signals = [one.signal, undefined, other.signal];
  const failing = runUnderSignals(signals, async () => {
    expect(listeners()).toEqual([1, 1]);
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  expect(listeners()).toEqual([0, 0]);
  await runUnderSignals(signals, async ({ signal }) => {
    other.abort(new Error('enough'));
    expect(signal.reason).toBe(other.signal.reason);
  });
  expect(listeners()[0]).toBe(0);
});

it('stands for AbortSignal.any, which leaks in signals that outlive the work', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const using = files.filter((file) => readFileSync(`src/${file}`, 'utf8').includes('AbortSignal.any('));
  expect(using).toEqual([]);
});
