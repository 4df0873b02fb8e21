import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { pick, seededRandom } from './seeded-random.js';

/** What the proxy does to one connection. */
const CONNECTION_FAULTS = [
  'none',
  'none',
  'delay',
  'cut',
  'truncate',
  'corrupt',
  'refuse',
  '429',
  '503',
  '301',
] as const;
type ConnectionFault = (typeof CONNECTION_FAULTS)[number];

/** A real proxy between a client and a service that damages connections at random. */
export interface FaultyProxy {
  readonly url: string;
  /** Restarts with a seed and the share of connections to damage. */
  reseed(seed: number, share: number): void;
  readonly injected: Map<ConnectionFault, number>;
  openSockets(): number;
  close(): Promise<void>;
}

export async function openFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  let random = seededRandom(0);
  let share = 0;
  const injected = new Map<ConnectionFault, number>();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('close', () => sockets.delete(client)).on('error', () => {});
    const fault = random() < share ? pick(random, CONNECTION_FAULTS) : 'none';
    injected.set(fault, (injected.get(fault) ?? 0) + 1);
    spoil(client, fault, { hostname, port: Number(port), random });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reseed(seed, newShare) {
      random = seededRandom(seed);
      share = newShare;
      for (const socket of sockets) socket.destroy();
    },
    injected,
    openSockets: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

const ANSWERS: Partial<Record<ConnectionFault, string>> = {
  429: 'HTTP/1.1 429 Too Many Requests\r\nretry-after: 0\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
  503: 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
  301: 'HTTP/1.1 301 Moved Permanently\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
};

function spoil(
  client: Socket,
  fault: ConnectionFault,
  { hostname, port, random }: { hostname: string; port: number; random: () => number },
): void {
  if (fault === 'refuse') {
    client.resetAndDestroy();
    return;
  }
  const answer = ANSWERS[fault];
  if (answer !== undefined) {
    client.once('data', () => client.end(answer));
    return;
  }
  const service = connect(port, hostname);
  service.on('error', () => client.destroy());
  client.on('close', () => service.destroy());
  client.pipe(service);
  const at = Math.floor(random() * 4000);
  let passed = 0;
  service.on('data', (piece: Buffer) => {
    const from = passed;
    passed += piece.length;
    if (fault === 'delay') service.pause().once('resume', () => {});
    if (fault === 'corrupt') corrupt(piece, at - from);
    if ((fault === 'cut' || fault === 'truncate') && passed > at) {
      client.write(piece.subarray(0, Math.max(0, at - from)));
      if (fault === 'cut') client.resetAndDestroy();
      else client.end();
      return;
    }
    client.write(piece);
    if (fault === 'delay') setTimeout(() => service.resume(), random() * 5).unref();
  });
  service.on('end', () => client.end());
}

/** Flips a bit of the body, which begins after the first empty line. */
function corrupt(piece: Buffer, at: number): void {
  const body = piece.indexOf('\r\n\r\n');
  if (at >= 0 && at < piece.length && (body < 0 || at > body + 4)) piece[at]! ^= 8;
}
