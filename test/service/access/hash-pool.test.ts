import { scryptSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { HashPool } from '../../../src/service/access/hash-pool.js';

const job = (password: string, N = 1024) => ({
  password,
  salt: Buffer.from('salt'),
  bytes: 32,
  cost: { N, r: 8, p: 1 },
});

it('computes what scrypt does', async () => {
  const pool = new HashPool();
  const hash = await pool.hash(job('secret'));
  expect(Buffer.from(hash)).toEqual(scryptSync('secret', 'salt', 32, { N: 1024, r: 8, p: 1 }));
});

it('bounds its queue, in all and for each lane, and says at once when to try again', async () => {
  const pool = new HashPool();
  const tries = Array.from({ length: 115 }, (_, i) =>
    pool.hash(job(`wrong ${i}`), { lane: 'attacker' }).then(
      () => 'hashed',
      (error) => error,
    ),
  );
  const other = pool.hash(job('right'), { lane: 'owner' });
  const many = Array.from({ length: 60 }, (_, i) =>
    pool.hash(job('x'), { lane: `lane ${i}` }).then(
      () => 'hashed',
      (error) => error,
    ),
  );
  expect(Buffer.from(await other)).toHaveLength(32);
  const [one, all] = [await Promise.all(tries), await Promise.all(many)];
  expect(one.filter((result) => result === 'hashed').length).toBeLessThanOrEqual(12);
  expect(one.filter((result) => result === 'hashed').length).toBeGreaterThan(0);
  expect(all.filter((result) => result === 'hashed').length).toBeLessThanOrEqual(32);
  for (const result of [...one, ...all]) {
    if (result === 'hashed') continue;
    expect(result).toMatchObject({ status: 429, retryAfterMs: expect.any(Number) });
    expect(result.retryAfterMs).toBeGreaterThanOrEqual(1000);
  }
});

it('lets lanes take turns', async () => {
  const pool = new HashPool();
  const order: string[] = [];
  const run = async (lane: string, N: number) => {
    await pool.hash(job('x', N), { lane });
    order.push(lane);
  };
  await Promise.all([...Array.from({ length: 6 }, () => run('a', 8192)), run('b', 1024)]);
  expect(order.indexOf('b')).toBeLessThan(5);
});

it('gives the place of one who leaves to others, and survives a job that fails', async () => {
  const pool = new HashPool();
  const leaving = new AbortController();
  const working = Array.from({ length: 4 }, () => pool.hash(job('x')));
  const left = pool.hash(job('y'), { lane: 'y', signal: leaving.signal });
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  await expect(pool.hash(job('z'), { lane: 'z', signal: leaving.signal })).rejects.toThrow('left');
  await expect(pool.hash(job('x', 1000), { lane: 'odd' })).rejects.toThrow();
  await Promise.all(working);
  expect(await pool.hash(job('x'))).toHaveLength(32);
});
