import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/program.js';
import { recordingIo, runCommand, temporaryFolder, until } from '../capture.js';
import { demoStore } from '../stores.js';

const { store } = demoStore();
const folder = temporaryFolder();
const seen = join(folder, 'seen');
const BROWSER = join(folder, 'browser');

/** A browser that notes what it is to open. */
beforeAll(async () => {
  writeFileSync(BROWSER, `#!/bin/sh\nprintf '%s' "$1" > ${seen}.part && mv ${seen}.part ${seen}\n`);
  chmodSync(BROWSER, 0o755);
});
afterEach(() => rmSync(seen, { force: true }));

/** Runs until a line is out, and the condition holds; then stops it. */
async function runUntil(
  argv: readonly string[],
  isDone: (out: string) => boolean,
): Promise<[string, string]> {
  const stop = new AbortController();
  const { io, stdout, stderr } = recordingIo({ signal: stop.signal, env: { BROWSER } });
  const ended = run(argv, io);
  await until(() => stdout.text.includes('\n') && isDone(stdout.text), ended);
  const url = stdout.text.replace('listening on ', '').trim();
  const page = await fetch(url, { headers: { accept: 'text/html' } }).then((answer) => answer.text());
  stop.abort();
  expect(await ended).toBe(0);
  return [url, page + stderr.text];
}

describe('explore', () => {
  it('serves a store for this machine, and opens its page', async () => {
    const [url, page] = await runUntil(['explore', '--store', store], () => existsSync(seen));
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(page).toContain('<title>cropframe</title>');
    expect(readFileSync(seen, 'utf8')).toBe(`${url}/`);
  });

  it('opens nothing with --no-open', async () => {
    const [, page] = await runUntil(['explore', '--store', store, '--no-open'], () => true);
    expect(page).toContain('<title>cropframe</title>');
    expect(existsSync(seen)).toBe(false);
  });

  it('says when no browser could be started', async () => {
    const stop = new AbortController();
    const { io, stderr } = recordingIo({ signal: stop.signal, env: { BROWSER: join(folder, 'none') } });
    const ended = run(['explore', '--store', store], io);
    await until(() => stderr.text.includes('\n'), ended);
    expect(stderr.text).toContain('note: no browser could be started; open the URL yourself');
    stop.abort();
    expect(await ended).toBe(0);
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
