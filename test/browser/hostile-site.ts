import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site whose page runs a script and tells what came of it. */
export interface Site {
  readonly port: number;
  /** What the script returned. */
  readonly result: Promise<Record<string, string>>;
  close(): Promise<void>;
}

interface SiteOptions {
  /** The address and port to listen on; any port of loopback by default. */
  readonly at?: { readonly address: string; readonly port: number } | undefined;
  /** The body of an async function of the page, written when the page is asked for. */
  readonly script: () => string;
  /** Passes all requests beside those of the page on to this port, as a name that is rebound to this machine does. */
  readonly reboundTo?: number | undefined;
}

export async function openSite({ at, script, reboundTo }: SiteOptions): Promise<Site> {
  let finish: (result: Record<string, string>) => void;
  const result = new Promise<Record<string, string>>((resolve) => {
    finish = resolve;
  });
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.url === '/page') {
      outgoing.setHeader('content-type', 'text/html').end(pageOf(script()));
    } else if (incoming.url === '/result') {
      const text = Buffer.concat(await incoming.toArray()).toString();
      outgoing.end();
      finish(JSON.parse(text));
    } else if (reboundTo !== undefined) passOn(incoming, outgoing, reboundTo);
    else outgoing.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(at?.port ?? 0, at?.address ?? '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    result,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pageOf(script: string): string {
  return `<!doctype html><title>hostile</title><body><script>
    const tell = (result) => fetch('/result', { method: 'POST', body: JSON.stringify(result) });
    const run = async () => { ${script} };
    run().then(tell, (error) => tell({ error: String(error) }));
  </script></body>`;
}

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  const { method, url: path, headers } = incoming;
  const onward = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(onward);
}
