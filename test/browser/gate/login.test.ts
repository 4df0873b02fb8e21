import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { hashToken } from '../../../src/service/access/auth.js';
import { hashPassword } from '../../../src/service/access/password-hash.js';
import type { Store } from '../../../src/store/store.js';
import { drawn } from '../page/open-page.js';
import { siteForTests } from '../page/open-site.js';
import { textOf } from '../page/saved-file.js';
import { SEATTLE, temperature } from '../page/views.js';

const TOKEN = 'cf_token-of-the-tests';
const SECOND = 'cf_second-token-of-the-tests';
const EMAIL = 'ada@example.org';
const PASSWORD = 'correct horse battery staple';

const site = siteForTests({ authorize: undefined, fill });

async function fill(store: Store): Promise<void> {
  await importDataset(store, documentImporter('demo'));
  await putToken(store, TOKEN);
  await store.access.putUser({ email: EMAIL, passwordHash: await hashPassword(PASSWORD) });
}

function putToken(store: Store, token: string): Promise<unknown> {
  return store.access.putToken({
    hash: hashToken(token),
    name: token,
    email: null,
    createdMs: 0,
    expiresMs: null,
    revokedMs: null,
  });
}

describe('a service with tokens', () => {
  it('asks for a login, says what is wrong with it, and goes on where one was', async () => {
    const { page, requests } = await site.open();
    const dialog = page.getByRole('dialog', { name: 'Log in' });
    await dialog.waitFor();
    await dialog.getByLabel('Email', { exact: true }).fill(EMAIL);
    await dialog.getByLabel('Password', { exact: true }).fill('wrong');
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByRole('alert').textContent()).toMatch(/password is wrong/);
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await drawn(page);
    expect(await dialog.count()).toBe(0);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('token');
    expect(requests.filter((address) => address.includes('password') || address.includes('cf_'))).toEqual([]);
  });

  it('takes a token, keeps it for the tab alone, and shows it nowhere', async () => {
    const { page } = await site.open();
    const dialog = page.getByRole('dialog', { name: 'Log in' });
    await dialog.getByRole('radio', { name: 'Access token' }).check();
    await dialog.locator('input[name=token]').fill(TOKEN);
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await drawn(page);
    await page.reload();
    await drawn(page);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('cf_');
    const text = await textOf(page, 'Code');
    expect(text).toMatch(/token/i);
    expect(text + (await page.content())).not.toContain(TOKEN);
    expect(page.url()).not.toContain('cf_');
  });

  it('asks for a login again when a token is revoked, and goes on with the same view', async () => {
    const { page } = await site.open({ query: `s=${temperature(SEATTLE)}&every=month` });
    const dialog = page.getByRole('dialog', { name: 'Log in' });
    const enter = async (token: string) => {
      await dialog.getByRole('radio', { name: 'Access token' }).check();
      await dialog.locator('input[name=token]').fill(token);
      await dialog.getByRole('button', { name: 'Log in' }).click();
    };
    await putToken(site.store, SECOND);
    await enter(SECOND);
    await drawn(page);
    const link = page.url();
    await site.store.access.revokeToken(SECOND, Date.now());
    await page.getByRole('tab', { name: 'Revisions' }).click();
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain('no longer accepts the access token');
    expect((await page.content()) + page.url()).not.toContain(SECOND);
    await enter(TOKEN);
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.triangle').waitFor();
    await page.getByRole('tab', { name: 'Chart' }).click();
    await drawn(page);
    expect(page.url()).toBe(link);
  });
});
