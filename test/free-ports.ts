import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems hand out for outgoing connections and for servers that ask for any port. */
const MIN_PORT = 10_000;
const MAX_PORT = 15_999;

/** Ports that nothing listens on now, for programs that must be told their port. Nothing else takes them by chance. */
export async function freePorts(count: number): Promise<number[]> {
  const free = new Set<number>();
  while (free.size < count) {
    const port = MIN_PORT + Math.floor(Math.random() * (MAX_PORT - MIN_PORT + 1));
    if (!free.has(port) && (await isFree(port))) free.add(port);
  }
  return [...free];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}
