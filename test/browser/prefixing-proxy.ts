import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service below a path of a proxy. */
export interface Proxied {
  /** With the path, without a slash at its end. */
  readonly url: string;
  /** Paths outside of it that were asked for. */
  readonly outside: readonly string[];
  close(): Promise<void>;
}

/** A service as a test starts it for a public address. */
type Started = Readonly<{ url: string; close(): Promise<unknown> }>;

/** A proxy that passes on what is below a path, without the path or with it, and has nothing else. It closes the service, too. */
export async function openProxy(
  { prefix, keeps }: { prefix: string; keeps: boolean },
  start: (publicUrl: string) => Promise<Started>,
): Promise<Proxied> {
  const outside: string[] = [];
  let port = '';
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming;
    if (!url.startsWith(prefix)) {
      outside.push(url);
      outgoing.writeHead(404).end();
      return;
    }
    const path = keeps ? url : url.slice(prefix.length) || '/';
    const onward = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`;
  const service = await start(url);
  ({ port } = new URL(service.url));
  return {
    url,
    outside,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.close();
    },
  };
}
