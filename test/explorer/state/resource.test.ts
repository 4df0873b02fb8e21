import { describe, expect, it } from 'vitest';
import { singleFlight } from '../../../src/explorer/state/resource.js';

/** A question that is answered by hand. */
function byHand() {
  const sent: { signal: AbortSignal; answer: (text: string) => void }[] = [];
  const ask = singleFlight(
    (_: { text: string }, signal: AbortSignal) =>
      new Promise<string>((answer, refuse) => {
        sent.push({ signal, answer });
        signal.addEventListener('abort', () => refuse(signal.reason));
      }),
  );
  return { sent, ask };
}

describe('a question of several at the same time', () => {
  it('is sent once, and again when it is asked later', async () => {
    const { sent, ask } = byHand();
    const { signal } = new AbortController();
    const both = [ask({ text: 'a' }, signal), ask({ text: 'a' }, signal)];
    expect(sent).toHaveLength(1);
    sent[0]!.answer('here');
    expect(await Promise.all(both)).toEqual(['here', 'here']);
    void ask({ text: 'a' }, signal);
    void ask({ text: 'b' }, signal);
    expect(sent).toHaveLength(3);
  });

  it('ends when the last of them leaves, not before', async () => {
    const { sent, ask } = byHand();
    const [first, second] = [new AbortController(), new AbortController()];
    const answers = [ask({ text: 'a' }, first.signal), ask({ text: 'a' }, second.signal)];
    first.abort(new Error('gone'));
    await expect(answers[0]).rejects.toThrow('gone');
    expect(sent[0]!.signal.aborted).toBe(false);
    second.abort(new Error('gone too'));
    await expect(answers[1]).rejects.toThrow('gone too');
    expect(sent[0]!.signal.aborted).toBe(true);
    void ask({ text: 'a' }, new AbortController().signal);
    expect(sent).toHaveLength(2);
  });
});
