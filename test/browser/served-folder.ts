import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

/** A folder as a site of its own. */
export interface ServedFolder {
  readonly url: string;
  close(): Promise<void>;
}

/** What pages of the site may do: run its own scripts and WebAssembly, and ask any service; no `eval`. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src http://127.0.0.1:*; img-src data:";

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

export async function openFolder(folder: string): Promise<ServedFolder> {
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const path = join(folder, pathname);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
      answer.writeHead(pathname === '/favicon.ico' ? 204 : 404).end();
      return;
    }
    answer.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
    answer.setHeader('content-security-policy', POLICY);
    createReadStream(path).pipe(answer);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
