import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairQueue, requestLimits } from '../../../src/service/access/fair-queue.js';

const LIMITS = { total: 4, perHolder: 2, waiting: 3, totalWaiting: 5, maxWaitMs: 1000 };
const signal = new AbortController().signal;

/** Requests that enter, by name, and a way to end each. */
function requests(queue: FairQueue) {
  const entered: string[] = [];
  const leave = new Map<string, () => void>();
  const failed = new Map<string, unknown>();
  const ask = (name: string, until = signal) =>
    queue.enter(name[0]!, 'points', until).then(
      (end) => {
        entered.push(name);
        leave.set(name, end);
      },
      (error: unknown) => failed.set(name, error),
    );
  return { entered, leave, failed, ask, settle: () => new Promise((resolve) => setImmediate(resolve)) };
}

describe('a fair queue', () => {
  it('gives one holder no more than its share, and free places to the holders in turn', async () => {
    const queue = new FairQueue(LIMITS);
    const { entered, leave, ask, settle } = requests(queue);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2', 'c2']) void ask(name);
    await settle();
    expect(entered).toEqual(['a1', 'a2', 'b1', 'c1']);
    expect([queue.running, queue.waiting]).toEqual([4, 5]);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2', 'c2', 'a4']) {
      leave.get(name)!();
      await settle();
    }
    expect(entered.slice(4)).toEqual(['a3', 'b2', 'c2', 'a4', 'a5']);
    leave.get('a5')!();
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  it('refuses a holder with too many that wait, and everybody when too many wait in all', async () => {
    const queue = new FairQueue(LIMITS);
    const { failed, ask, settle } = requests(queue);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'b3', 'b4', 'c1']) void ask(name);
    await settle();
    expect([...failed.keys()]).toEqual(['a6', 'c1']);
    expect(failed.get('a6')).toMatchObject({ status: 429, retryAfterMs: 1000 });
    expect(failed.get('c1')).toMatchObject({ status: 503, retryAfterMs: 1000 });
  });

  it('forgets a request whose client leaves while it waits', async () => {
    const queue = new FairQueue(LIMITS);
    const { entered, leave, failed, ask, settle } = requests(queue);
    const leaving = new AbortController();
    void ask('a1');
    void ask('a2');
    void ask('a3', leaving.signal);
    void ask('a4');
    leaving.abort(new Error('left'));
    await settle();
    expect(failed.get('a3')).toBe(leaving.signal.reason);
    leave.get('a1')!();
    leave.get('a1')!();
    await settle();
    expect(entered).toEqual(['a1', 'a2', 'a4']);
    expect(queue.running).toBe(2);
    await expect(queue.enter('a', 'points', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  describe('with a clock that the test moves', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    it('says after a while that the service is busy', async () => {
      const queue = new FairQueue(LIMITS);
      const { failed, ask, settle } = requests(queue);
      for (const name of ['a1', 'a2', 'a3']) void ask(name);
      vi.advanceTimersByTime(1000);
      await settle();
      expect(failed.get('a3')).toMatchObject({ status: 503 });
      expect(queue.waiting).toBe(0);
    });
  });

  it('keeps its limits whatever comes and goes, and ends empty', async () => {
    const events = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean()), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(events, async (sequence) => {
        const queue = new FairQueue(LIMITS);
        const running: { holder: string; end: () => void }[] = [];
        let open = 0;
        const begin = (holder: string) => {
          open++;
          void queue.enter(holder, 'points', signal).then(
            (end) => running.push({ holder, end }),
            () => open--,
          );
        };
        const finish = () => {
          open--;
          running.shift()!.end();
        };
        for (const [holder, comes] of sequence) {
          if (comes) begin(holder);
          else if (running.length > 0) finish();
          await Promise.resolve();
          for (const one of ['a', 'b', 'c'])
            expect(running.filter((each) => each.holder === one).length).toBeLessThanOrEqual(2);
          expect(queue.running).toBeLessThanOrEqual(4);
        }
        for (let i = 0; i < 200 && open > 0; i++) {
          await Promise.resolve();
          if (running.length > 0) finish();
        }
        expect([open, queue.running, queue.waiting]).toEqual([0, 0, 0]);
      }),
    );
  });

  it('lets a quarter of all be of one holder, and one at least', () => {
    expect(requestLimits(64)).toMatchObject({ total: 64, perHolder: 16 });
    expect(requestLimits(1)).toMatchObject({ total: 1, perHolder: 1 });
  });
});
