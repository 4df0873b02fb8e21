import { describe, expect, it } from 'vitest';
import { putToken, siteWithLogin, TOKEN } from './login-site.js';
import { drawn } from './open-page.js';
import { textOf } from './saved-file.js';
import { SEATTLE, temperature } from './views.js';

const SECOND = 'cf_second-token-of-the-tests';

const site = siteWithLogin();

describe('a service with tokens', () => {
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
