import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browserCommand } from '../../../src/cli/actions/serve.js';
import { runCommand, startListening, temporaryFolder } from '../capture.js';
import { demoStore } from '../stores.js';

const { store } = demoStore();
const folder = temporaryFolder();
const seen = join(folder, 'seen');
const BROWSER = join(folder, 'browser');
const PAGE = 'http://127.0.0.1:8470/';

/** A browser that notes what it is to open. */
beforeAll(async () => {
  writeFileSync(BROWSER, `#!/bin/sh\nprintf '%s' "$1" > ${seen}.part && mv ${seen}.part ${seen}\n`);
  chmodSync(BROWSER, 0o755);
});
afterEach(() => rmSync(seen, { force: true }));

/** Explores a store until the condition holds. @returns the URL, the page, and what was said beside it */
async function explore(argv: readonly string[], browser: string, isDone: () => boolean) {
  const service = await startListening(['explore', '--store', store, ...argv], { BROWSER: browser });
  await expect.poll(isDone).toBe(true);
  const answer = await fetch(service.host, { headers: { accept: 'text/html' } });
  const page = await answer.text();
  expect(await service.stop()).toBe(0);
  return { url: service.host, page, stderr: service.said().stderr };
}

describe('explore', () => {
  it('serves a store for this machine, and opens its page', async () => {
    const { url, page } = await explore([], BROWSER, () => existsSync(seen));
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(page).toContain('<title>cropframe</title>');
    expect(readFileSync(seen, 'utf8')).toBe(`${url}/`);
  });

  it('opens nothing with --no-open, and says when no browser could be started', async () => {
    const { page, stderr } = await explore(['--no-open'], BROWSER, () => true);
    expect(page).toContain('<title>cropframe</title>');
    expect([existsSync(seen), stderr]).toEqual([false, '']);
    const none = await explore([], join(folder, 'none'), () => true);
    expect(none.stderr).toBe('note: no browser could be started; open the URL yourself\n');
  });

  it.each([
    [[], "required option '--store <file>'"],
    [['--store', 'absent.duckdb'], 'there is no store at absent.duckdb'],
    [
      ['--store', 'https://127.0.0.1:1'],
      'only clickhouse://… URLs can be opened as a store; otherwise, specify a file path',
    ],
  ])('refuses %j', async (argv, message) => {
    const ending = await runCommand(['explore', ...argv]);
    expect(ending.code).not.toBe(0);
    expect(ending.stderr).toContain(message);
  });
});

describe('the program that opens a URL', () => {
  it.each([
    ['darwin', {}, ['open', PAGE]],
    ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler', PAGE]],
    ['linux', { DISPLAY: ':0' }, ['xdg-open', PAGE]],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open', PAGE]],
    ['linux', {}, null],
    ['linux', { BROWSER: 'firefox' }, ['firefox', PAGE]],
    ['darwin', { BROWSER: 'firefox' }, ['firefox', PAGE]],
  ])('on %s with %o', (platform, env, expected) => {
    expect(browserCommand(PAGE, { platform, env })).toEqual(expected);
  });
});
