import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that passes on what is below a path, without the path or with it; anything else is a 404. */
export async function openProxy(
  service: string,
  { prefix, keeps = false }: { prefix: string; keeps?: boolean },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (!path.startsWith(prefix)) {
      outgoing.writeHead(404).end();
      return;
    }
    const { method, headers } = incoming;
    const target = new URL(service + (keeps ? path : path.slice(prefix.length)));
    const passed = request(target, { method, headers: { ...headers, host: target.host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
