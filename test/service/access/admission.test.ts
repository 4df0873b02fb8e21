import { expect, it } from 'vitest';
import type { Endpoint } from '../../../src/contract/addresses.js';
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
    message: expect.stringMatching(/"old" does not have the right "import".*token create --right import/),
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
