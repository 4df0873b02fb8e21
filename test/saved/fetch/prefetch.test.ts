import { describe, expect, it } from 'vitest';
import { prefetch } from '../../../src/saved/fetch/prefetch.js';

const STEPS = Array.from({ length: 40 }, (_, i) => i);

function counting() {
  const started: number[] = [];
  const signals: AbortSignal[] = [];
  const run = async (step: number, signal: AbortSignal) => {
    started.push(step);
    signals.push(signal);
    if (step === 13) throw new Error('unlucky');
    return step * 2;
  };
  return { started, signals, run };
}

describe('prefetch', () => {
  it('fails at the failing step, after the results before it, and aborts the rest', async () => {
    const { run, signals } = counting();
    const results: number[] = [];
    const taking = (async () => {
      for await (const result of prefetch(STEPS, run, undefined)) results.push(result);
    })();
    await expect(taking).rejects.toThrow('unlucky');
    expect(results).toEqual(STEPS.slice(0, 13).map((step) => step * 2));
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it('aborts running steps when the consumer leaves, or its signal aborts', async () => {
    const left = counting();
    for await (const _ of prefetch(STEPS, left.run, undefined)) break;
    expect(left.signals[0]!.aborted).toBe(true);
    const stop = new AbortController();
    const stuck = (_: number, signal: AbortSignal) =>
      new Promise<number>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const first = prefetch(STEPS, stuck, stop.signal).next();
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
  });
});
