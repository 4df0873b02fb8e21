import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const SOURCE = new URL('../../dist/index.js', import.meta.url).href;

/** Runs a program in a new process, where `isLoaded()` tells whether the schema library is there. @returns what it printed */
async function run(program: string): Promise<string> {
  const text = `
    const { createClient } = await import('${SOURCE}');
    const isLoaded = () => globalThis.__zod_globalConfig !== undefined;
    const options = { api_host: 'http://127.0.0.1:9', access_token: 'token' };
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    ${program}`;
  const args = ['--input-type=module', '-e', text];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim();
}

it('sends the first request before it loads the schemas that read its answer', async () => {
  const printed = await run(`
    const fetch = async () => {
      console.log('sent', isLoaded());
      return Response.json({ data: [{ id: 7, name: 'Corn', contains: [], belongsTo: [], definition: '' }] });
    };
    const { name } = await createClient({ ...options, fetch }).lookup('items', 7);
    console.log(name, isLoaded());`);
  expect(printed).toBe('sent false\nCorn true');
});

it('loads nothing when it is imported, and loads ahead what the first request needs once there is a client', async () => {
  const printed = await run(`
    console.log(isLoaded());
    await sleep(50);
    console.log(isLoaded());
    createClient(options);
    for (let tries = 0; tries < 1000 && !isLoaded(); tries++) await sleep(20);
    console.log(isLoaded());`);
  expect(printed).toBe('false\nfalse\ntrue');
});
