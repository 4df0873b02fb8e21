import { describe, expect, it } from 'vitest';
import { LoginGuard } from '../../../src/service/access/rate-limit.js';
import { createService } from '../../../src/service/service.js';
import { logIn, openTokenStore } from '../token-service.js';

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

  it('does not count right passwords, nor tries that were not checked', () => {
    const guard = new LoginGuard(() => 0);
    for (let i = 0; i < 500; i++) guard.admit('ana@example.org', 'home').succeed();
    for (let i = 0; i < 500; i++) guard.admit('ana@example.org', 'home').withdraw();
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

  it('goes by a clock that does not go back with that of the machine', () => {
    const guard = new LoginGuard();
    for (let i = 0; i < 10; i++) guard.admit('ana@example.org', 'home');
    const dayBefore = Date.now() - 86_400_000;
    const { now } = Date;
    Date.now = () => dayBefore;
    try {
      expect(() => guard.admit('ana@example.org', 'home')).toThrow(
        expect.objectContaining({ retryAfterMs: expect.closeTo(10_000, -2) }),
      );
    } finally {
      Date.now = now;
    }
  });
});

it('answers too many wrong passwords with 429 and the time to wait', async () => {
  const store = await openTokenStore();
  // A hash that is quickly computed.
  await store.access.putUser({ email: 'a@b.c', passwordHash: 'scrypt$2$1$1$c2FsdA==$aGFzaA==' });
  const service = createService(store);
  const answers = [];
  for (let i = 0; i < 14; i++) answers.push(await logIn(service, 'x'));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401));
  expect(statuses).toContain(429);
  const refused = answers.find(({ status }) => status === 429)!;
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    message: expect.stringContaining('10 wrong passwords for this email'),
  });
  await store.close();
});
