import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { pick } from '../journeys/seeded-random.js';

/** What happens to a connection when its fuse has burnt down. */
const FAULTS = ['cut', 'end', 'stall', 'drip'] as const;
const ANSWERS = {
  '429': 'HTTP/1.1 429 Too Many Requests\r\nretry-after: 0\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
  '503': 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
  'a login page':
    'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 4\r\nconnection: close\r\n\r\n<p/>',
  refusal: '',
} as const;

/** A proxy that cuts off and delays what passes through it, as its seed says. It may be calmed. */
export class ChaosProxy {
  readonly injected = new Map<string, number>();
  /** No new faults while true. */
  isCalm = false;
  connections = 0;
  readonly #random: () => number;
  readonly #target: { host: string; port: number };
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(random: () => number, port: number) {
    this.#random = random;
    this.#target = { host: '127.0.0.1', port };
    this.#server = createServer((client) => this.#accept(client));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(client: Socket): void {
    this.connections++;
    const service = this.#keep(connect(this.#target));
    this.#keep(client).on('close', () => service.destroy());
    // A service that is not there resets the connection: fetch of Node 20 waits for ever where it is closed before its request.
    service.on('error', () => client.resetAndDestroy()).on('close', () => client.destroySoon());
    service.on('connect', () => this.#join(client, service));
  }

  #join(client: Socket, service: Socket): void {
    if (!this.isCalm && this.#random() < 0.08) {
      const kind = pick(this.#random, Object.keys(ANSWERS) as (keyof typeof ANSWERS)[]);
      this.#inject(kind);
      if (kind === 'refusal') client.resetAndDestroy();
      else client.once('data', () => client.end(ANSWERS[kind]));
      return;
    }
    const inject = (fault: string): void => this.#inject(fault);
    new Wire(this.#random, inject, () => this.isCalm).join(client, service);
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    return socket.on('close', () => this.#sockets.delete(socket)).on('error', () => {});
  }

  #inject(fault: string): void {
    this.injected.set(fault, (this.injected.get(fault) ?? 0) + 1);
  }
}

/** One connection. After a random number of bytes of answers, a fault strikes; where the connection survives, more may. */
class Wire {
  readonly #random: () => number;
  readonly #inject: (fault: string) => void;
  readonly #isCalm: () => boolean;
  #fuse: number;

  constructor(random: () => number, inject: (fault: string) => void, isCalm: () => boolean) {
    [this.#random, this.#inject, this.#isCalm] = [random, inject, isCalm];
    this.#fuse = this.#newFuse();
  }

  join(client: Socket, service: Socket): void {
    client.on('data', (piece: Buffer) => {
      if (!service.write(piece)) client.pause();
    });
    service.on('drain', () => client.resume());
    client.on('drain', () => service.resume());
    service.on('data', (piece: Buffer) => this.#pass(piece, client, service));
    service.on('end', () => client.end());
  }

  #pass(piece: Buffer, client: Socket, service: Socket): void {
    this.#fuse -= piece.length;
    const isBlown = this.#fuse <= 0 && !this.#isCalm();
    if (!(isBlown ? this.#strike(piece, client, service) : client.write(piece))) service.pause();
  }

  /** @returns whether more may follow at once */
  #strike(piece: Buffer, client: Socket, service: Socket): boolean {
    const fault = pick(this.#random, FAULTS);
    const body = piece.indexOf('\r\n\r\n') + 4;
    const from = piece.subarray(0, 5).toString('latin1') === 'HTTP/' ? body : 0;
    const at = from + Math.floor(this.#random() * (piece.length - from));
    this.#inject(fault);
    this.#fuse = this.#newFuse();
    switch (fault) {
      case 'cut':
        client.write(piece.subarray(0, at));
        client.resetAndDestroy();
        return true;
      case 'end':
        client.end(piece.subarray(0, at));
        return true;
      case 'stall':
        client.write(piece.subarray(0, at));
        setTimeout(() => client.resetAndDestroy(), STALL_MS).unref();
        return false;
      case 'drip':
        void drip(piece, client).then(() => service.resume());
        return false;
    }
  }

  /** Bytes until the next fault: often few, sometimes many. */
  #newFuse(): number {
    return 200 * 3000 ** this.#random();
  }
}

/** Longer than readers wait. */
const STALL_MS = 8_000;
const DRIPS = 12;

async function drip(piece: Buffer, client: Socket): Promise<void> {
  const step = Math.ceil(piece.length / DRIPS);
  for (let at = 0; at < piece.length && !client.destroyed; at += step) {
    client.write(piece.subarray(at, at + step));
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
