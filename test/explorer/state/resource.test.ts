import { signal } from '@preact/signals';
import { expect, it, vi } from 'vitest';
import { resource, shareRequests } from '../../../src/explorer/state/resource.js';

it('sends a question of several at the same time once, and again when it is asked later', async () => {
  const sent: ((text: string) => void)[] = [];
  const ask = shareRequests((_: { text: string }) => new Promise<string>((answer) => sent.push(answer)));
  const both = [ask({ text: 'a' }), ask({ text: 'a' })];
  expect(sent).toHaveLength(1);
  sent[0]!('here');
  expect(await Promise.all(both)).toEqual(['here', 'here']);
  void ask({ text: 'a' });
  void ask({ text: 'b' });
  expect(sent).toHaveLength(3);
});

it('never has the answer to an earlier question, in whatever order answers come', async () => {
  const question = signal<string | null>(null);
  const sent = new Map<string, { answer: (text: string) => void; signal: AbortSignal }>();
  const { loaded } = resource(
    () => question.value,
    (text, signal) => new Promise<string>((answer) => sent.set(text, { answer, signal })),
  );
  for (const text of ['wheat', 'corn', 'iowa']) {
    question.value = text;
    await vi.waitFor(() => expect(sent.has(text)).toBe(true));
  }
  expect([...sent.values()].map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
  for (const text of ['corn', 'iowa', 'wheat']) sent.get(text)!.answer(`hits of ${text}`);
  await vi.waitFor(() => expect(loaded.value.value).toBe('hits of iowa'));
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(loaded.value).toEqual({ value: 'hits of iowa', error: null, isLoading: false });
});
