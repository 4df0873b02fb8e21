import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { COMMAND, startCommand } from '../process.js';
import { demoStore } from '../stores.js';

const { store } = demoStore();
interface Points {
  readonly series: { readonly title: string };
  readonly points: readonly object[];
}

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
