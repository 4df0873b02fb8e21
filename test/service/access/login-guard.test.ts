import { expect, it } from 'vitest';
import { LoginGuard } from '../../../src/service/access/login-guard.js';
import { createService } from '../../../src/service/service.js';
import { logIn, openTokenStore } from '../token-service.js';

it('limits failed logins of an email, but not successful ones', () => {
  let now = 0;
  const guard = new LoginGuard(() => now);
  for (let i = 0; i < 50; i++) {
    guard.checkAttempt('known@example.org');
    guard.reportSuccess('known@example.org');
  }
  for (let i = 0; i < 10; i++) guard.checkAttempt('guessed@example.org');
  expect(() => guard.checkAttempt('guessed@example.org')).toThrow(expect.objectContaining({ status: 429 }));
  guard.checkAttempt('known@example.org');
  now = 15 * 60_000;
  guard.checkAttempt('guessed@example.org');
});

it('answers too many failed logins with 429', async () => {
  const store = await openTokenStore();
  const service = createService(store);
  const statuses = [];
  for (let i = 0; i < 11; i++) statuses.push((await logIn(service, 'x')).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  await store.close();
});
