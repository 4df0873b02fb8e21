import { EventEmitter, getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { linkedAbort } from '../../../src/client/http/cancellable.js';

const reason = new Error('enough');

it('follows one signal by one listener, however many requests it is to end, and by none once they are over', () => {
  const { signal } = new AbortController();
  const linked = Array.from({ length: 3 * EventEmitter.defaultMaxListeners }, () => linkedAbort(signal));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const one of linked) one.unlink();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('aborts all that follow, with the reason, but not those that were over before', () => {
  const controller = new AbortController();
  const [first, over, last] = [1, 2, 3].map(() => linkedAbort(controller.signal)) as [Linked, Linked, Linked];
  over.unlink();
  over.unlink();
  controller.abort(reason);
  expect([first, last].map(({ signal }) => signal.reason)).toEqual([reason, reason]);
  expect(over.signal.aborted).toBe(false);
});
type Linked = ReturnType<typeof linkedAbort>;
