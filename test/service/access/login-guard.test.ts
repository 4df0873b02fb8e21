import { describe, expect, it } from 'vitest';
import { LoginGuard } from '../../../src/service/access/rate-limit.js';

const tooEarly = (retryAfterMs: number) => expect.objectContaining({ status: 429, retryAfterMs });

describe('LoginGuard', () => {
  it('makes the eleventh wrong password for an email wait ten seconds, at its address only', () => {
    let now = 0;
    const guard = new LoginGuard(() => now);
    for (let i = 0; i < 10; i++) guard.admit('ana@example.org', 'attacker');
    for (let i = 0; i < 3; i++) {
      expect(() => guard.admit('ana@example.org', 'attacker')).toThrow(tooEarly(10_000));
      guard.admit('ana@example.org', 'owner').succeed();
      now += 9_999;
      expect(() => guard.admit('ana@example.org', 'attacker')).toThrow(tooEarly(1));
      now++;
      guard.admit('ana@example.org', 'attacker');
    }
  });

  it('forgets wrong passwords after a right one', () => {
    const guard = new LoginGuard(() => 0);
    for (let i = 0; i < 9; i++) guard.admit('ana@example.org', 'home');
    guard.admit('ana@example.org', 'home').succeed();
    for (let i = 0; i < 10; i++) guard.admit('ana@example.org', 'home');
    expect(() => guard.admit('ana@example.org', 'home')).toThrow();
  });

  it('limits wrong passwords of an address, whatever the email', () => {
    let now = 0;
    const guard = new LoginGuard(() => now);
    for (let i = 0; i < 30; i++) guard.admit(`guess${i}@example.org`, 'attacker');
    expect(() => guard.admit('another@example.org', 'attacker')).toThrow(tooEarly(2000));
    guard.admit('another@example.org', 'elsewhere');
    now = 2000;
    guard.admit('another@example.org', 'attacker');
  });
});
