import { describe, expect, it } from 'vitest';
import { EMAIL, PASSWORD, siteWithLogin } from '../page/login-site.js';
import { drawn } from '../page/open-page.js';

const site = siteWithLogin();

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
});
