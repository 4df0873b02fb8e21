import { afterEach, describe, expect, it, vi } from 'vitest';
import { Turns } from '../../src/store/turns.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Turns by a clock and an event loop that go on only when the test says so. */
function manualTurns() {
  let nowMs = 0;
  const rounds: (() => void)[] = [];
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.spyOn(globalThis, 'setImmediate').mockImplementation(((callback: () => void) =>
    rounds.push(callback)) as never);
  return {
    turns: new Turns(),
    work: (ms: number) => {
      nowMs += ms;
    },
    round: async () => {
      for (const callback of rounds.splice(0)) callback();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

describe('turns', () => {
  it('go round: each piece of work waits behind the others, and the event loop runs between any two', async () => {
    const { turns, work, round } = manualTurns();
    const done: string[] = [];
    const task = async (name: string) => {
      for (let piece = 1; piece <= 3; piece++) {
        await turns.next();
        work(10);
        done.push(`${name}${piece}`);
      }
    };
    const tasks = Promise.all(['a', 'b', 'c'].map(task));
    const afterRounds: number[] = [];
    for (let i = 0; i < 9; i++) {
      await round();
      afterRounds.push(done.length);
    }
    await tasks;
    expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3']);
    expect(afterRounds).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('are given by the process to timers and sockets too', async () => {
    const turns = new Turns();
    let timers = 0;
    const timer = setInterval(() => timers++, 1);
    for (let piece = 0; piece < 30; piece++) {
      await turns.next();
      for (const startedMs = performance.now(); performance.now() - startedMs < 6; );
    }
    clearInterval(timer);
    expect(timers).toBeGreaterThan(5);
  });
});
