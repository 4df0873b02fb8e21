import { resolve } from 'node:path';
import type { MCP } from '../commands/serving.js';
import { resolveHost, withClients } from '../connection/with-client.js';
import { createMcpServer, loadSdk } from '../mcp/server.js';
import type { Action } from '../options/flags.js';
import { waitForAbort, warn } from '../terminal/io.js';

/**
 * Serves the MCP tools over standard input and output until standard input ends or the context's signal is aborted. Only
 * protocol messages are written to standard output.
 */
export const serveMcp: Action<typeof MCP> = async (context, options) => {
  const sdk = await loadSdk();
  const { stdin, stdout, stderr, signal } = context;
  const { store, host } = options;
  // The command lines in results must work from any folder, so the store's path is made absolute.
  const connection =
    store === undefined ? { host: resolveHost(context, { host }) } : { store: resolve(store) };
  await withClients(context, options, async (newClient) => {
    const server = createMcpServer(sdk, { newClient, connection, signal });
    server.onerror = (error) => void warn({ stderr }, error.message);
    const ended = new Promise<void>((done) => {
      stdin.once('end', done).once('close', done);
    });
    await server.connect(new sdk.StdioServerTransport(stdin, stdout));
    await Promise.race([ended, waitForAbort(signal)]);
    await server.close();
    stdin.destroy();
  });
};
