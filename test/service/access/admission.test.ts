import { expect, it } from 'vitest';
import type { Endpoint } from '../../../src/contract/addresses.js';
import { StoreError } from '../../../src/model/errors.js';
import { createAdmission } from '../../../src/service/access/auth.js';
import { openTokenStore } from '../token-service.js';

const READ: Endpoint = { method: 'GET', path: '/r', answer: null };
const IMPORT: Endpoint = { ...READ, method: 'POST', right: 'import' };

it('lets a token do what it has the right to', async () => {
  const { access, close } = await openTokenStore(
    { token: 'old', name: 'old' },
    { token: 'load', name: 'loader', rights: ['read', 'import'] },
  );
  const admit = createAdmission(access);
  expect(await admit(READ, 'old')).toBe('old');
  expect(await admit(IMPORT, 'load')).toBe('loader');
  await expect(admit(IMPORT, 'old')).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(/"old" lacks the right "import".*token create --right import/),
  });
  await close();
});

it('lets anyone read, and nobody import without a token that may', async () => {
  const { access, close } = await openTokenStore(
    { token: 'old', name: 'old' },
    { token: 'load', name: 'loader', rights: ['read', 'import'] },
  );
  const admit = createAdmission(access, 'anyone');
  expect(await admit(READ, null)).toBe('anyone');
  await expect(admit(IMPORT, null)).rejects.toMatchObject({ code: 'authentication' });
  await expect(admit(IMPORT, 'wrong')).rejects.toMatchObject({ code: 'authentication' });
  await expect(admit(IMPORT, 'old')).rejects.toMatchObject({ code: 'forbidden' });
  expect(await admit(IMPORT, 'load')).toBe('loader');
  await close();
});

it('tells strangers nothing of the file of users and tokens', async () => {
  const { access, close } = await openTokenStore();
  const cause = new StoreError('/srv/farm/farm.duckdb.access.json is damaged; restore it');
  const admit = createAdmission({ ...access, tokenByHash: () => Promise.reject(cause) });
  const refused = await admit(READ, 'x').catch((error) => error);
  expect(refused).toMatchObject({ status: 503, code: 'store', cause });
  expect(refused.message).not.toContain('srv');
  expect(refused.message).toContain('administrator');
  await close();
});
