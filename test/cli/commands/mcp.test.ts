import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listening, runCommand, startListening } from '../capture.js';
import { COMMAND, startCommand } from '../process.js';
import { demoStore } from '../stores.js';

const { store } = demoStore();
const TOKEN = 'a-long-and-random-text-for-tests';
interface Points {
  readonly series: { readonly title: string };
  readonly points: readonly object[];
}

const SEARCHED = { name: 'search', arguments: { text: 'corn', limit: 1 } };

let server: Listening | undefined;
afterEach(async () => void (await server?.stop()));

async function overHttp(argv: readonly string[] = [], env: Record<string, string> = {}): Promise<string> {
  server = await startListening(['mcp', '--store', store, '--http', '--port', '0', ...argv], env);
  expect(server.said().stdout).toBe('');
  return server.host;
}

async function searchAt(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1' });
  // The SDK's transport declares optional fields without undefined.
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const { structuredContent } = await client.callTool(SEARCHED);
  await client.close();
  return structuredContent;
}

function post(url: string, headers: Record<string, string>): Promise<Response> {
  const accept = 'application/json, text/event-stream';
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body,
  });
}

/** The answer for a host name that a page can have resolve to this machine; `fetch` sends its own. */
function answerFor(url: string, host: string): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { host } }, (answer) => {
      json(answer).then((body) => resolve({ status: answer.statusCode, body }), reject);
    });
    sent.on('error', reject).end('{}');
  });
}

const CORN = { hits: [{ entity_type: 'items', name: 'Corn', exact: true }] };

describe('mcp over standard input and output', () => {
  it('answers, writes only the protocol, and ends with its input', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [COMMAND, 'mcp', '--store', store],
      stderr: 'pipe',
    });
    const client = new Client({ name: 'test', version: '1' });
    const errors: Error[] = [];
    transport.onerror = (error) => errors.push(error);
    await client.connect(transport);
    const answers = await Promise.all(
      ['Seattle', 'New York City'].map((region) =>
        client.callTool({
          name: 'get_points',
          arguments: { item: 'Temperature max', region, start_date: '2015-06-01', end_date: '2015-06-02' },
        }),
      ),
    );
    const found = answers.map(({ structuredContent }) => structuredContent as unknown as Points);
    expect(found.map(({ series, points }) => [series.title, points.length])).toEqual([
      [expect.stringContaining('Seattle'), 2],
      [expect.stringContaining('New York'), 2],
    ]);
    await client.close();
    expect(errors).toEqual([]);
  });
});

/** A Node in which the SDK cannot be found. */
const WITHOUT_SDK = dataUrl(
  `import { register } from 'node:module'; register(${JSON.stringify(
    dataUrl(`export async function resolve(name, context, next) {
      if (!name.startsWith('@modelcontextprotocol/')) return next(name, context);
      throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
    }`),
  )});`,
);

function dataUrl(script: string): string {
  return `data:text/javascript;base64,${Buffer.from(script).toString('base64')}`;
}

describe('mcp without the SDK', () => {
  it('says how to install it', async () => {
    const command = startCommand(['mcp', '--store', store], { NODE_OPTIONS: `--import=${WITHOUT_SDK}` });
    command.child.stdin.end();
    expect(await command.ended()).toBe(2);
    expect(command.said().stdout).toBe('');
    expect(command.said().stderr).toContain('run "npm install @modelcontextprotocol/sdk"');
  });
});

describe('mcp over HTTP', () => {
  it('answers programs of this machine, and refuses pages of other sites and other host names', async () => {
    const url = await overHttp();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(await searchAt(url)).toMatchObject(CORN);
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(new URL('/', url))).status).toBe(404);
    expect((await post(url, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(url, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const message =
      'the server accepts no requests for the host "evil.example"; to accept them, start it with "--allowed-host evil.example"';
    expect(await answerFor(url, 'evil.example')).toMatchObject({ status: 421, body: { error: { message } } });
    expect((await post(url, {})).status).toBe(200);
    expect(await server!.stop()).toBe(0);
  });

  it('needs the token where there is one, and one where other machines may ask', async () => {
    const url = await overHttp(['--listen', '0.0.0.0'], { CROPFRAME_MCP_TOKEN: TOKEN });
    const near = url.replace('0.0.0.0', '127.0.0.1');
    expect((await post(near, {})).status).toBe(401);
    expect((await post(near, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect(await searchAt(near, { authorization: `Bearer ${TOKEN}` })).toMatchObject(CORN);
    for (const flag of ['--listen', '--port', '--allowed-host']) {
      const overStdio = await runCommand(['mcp', '--store', store, flag, '1']);
      expect(overStdio).toMatchObject({ code: 2, stderr: expect.stringContaining(`${flag}: needs --http`) });
    }
    const open = await runCommand(['mcp', '--store', store, '--http', '--listen', '0.0.0.0']);
    expect(open).toMatchObject({ code: 2, stdout: '' });
    expect(open.stderr).toContain('set CROPFRAME_MCP_TOKEN');
    const short = await runCommand(['mcp', '--store', store, '--http'], {
      env: { CROPFRAME_MCP_TOKEN: 'short' },
    });
    expect(short.stderr).toContain('fewer than 20 characters');
  });
});
