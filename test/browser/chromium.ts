import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installDebianPackages, succeeds } from '../install/debian.js';

/** Chromium without its own windows: for each new profile, they take two seconds of a processor. */
const SHELL = '/usr/bin/chromium-headless-shell';
const WHOLE = '/usr/bin/chromium';

export const PROGRAM = existsSync(SHELL) || !existsSync(WHOLE) ? SHELL : WHOLE;

/** @returns why Chromium is not on this machine; null if it is */
export function prepareChromium(): string | null {
  const programs = { 'chromium-headless-shell': SHELL, curl: 'curl' };
  const wanted = Object.entries(programs).flatMap(([name, program]) =>
    succeeds(program, '--version') ? [] : [name],
  );
  const reason = wanted.length === 0 ? null : installDebianPackages(wanted);
  const doesWithout = !wanted.includes('curl') && succeeds(WHOLE, '--version');
  return doesWithout ? null : reason;
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-features=HttpsUpgrades',
];

/** For a browser of pages that reach no other host. */
export const ALONE = [...FLAGS, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

/** Shows a page in a new Chromium until `seen` settles. `hosts` gives names an address, as a name server would. */
export async function showPage<Result>(
  url: string,
  { hosts, seen }: { hosts: Readonly<Record<string, string>>; seen: Promise<Result> },
): Promise<Result> {
  const profile = mkdtempSync(join(tmpdir(), 'cropframe-browser-'));
  const rules = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`);
  const flags = [...FLAGS, `--user-data-dir=${profile}`, `--host-resolver-rules=${rules.join(', ')}`];
  const child = spawn(PROGRAM, [...flags, url], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000);
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  const ended = closed.then(() => {
    throw new Error(`Chromium ended before the page was done:\n${errors}`);
  });
  try {
    return await Promise.race([seen, ended]);
  } finally {
    ended.catch(() => {});
    // Its own process group: Chromium starts many processes.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await closed;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
