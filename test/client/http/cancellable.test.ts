import { EventEmitter, getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { linkedAbort } from '../../../src/client/http/cancellable.js';

const _reason = new Error('enough');

it('follows one signal by one listener, however many requests it is to end, and by none once they are over', () => {
  const { signal } = new AbortController();
  const linked = Array.from({ length: 3 * EventEmitter.defaultMaxListeners }, () => linkedAbort(signal));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const one of linked) one.unlink();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
