import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests still open this long after a stop are cut. Docker kills what takes 10 s. */
const MAX_STOPPING_MS = 8000;

/**
 * The connections of a server, with the requests that each has open. Once the server stops, connections without one are
 * closed at once, whatever they have sent of a request; the others when their request has been answered.
 */
export class Connections {
  /** Every connection by its other end, TLS handshakes included. */
  readonly #sockets = new Map<string, Socket>();
  readonly #openRequests = new Map<string, number>();
  #isStopping = false;

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const end = otherEnd(socket);
      this.#sockets.set(end, socket);
      socket.once('close', () => {
        this.#sockets.delete(end);
        this.#openRequests.delete(end);
      });
    });
  }

  /** The listener, for requests that arrive before the stop. Those after it get `refuse`. */
  counted(listener: RequestListener, refuse: RequestListener): RequestListener {
    return (incoming, outgoing) => {
      if (this.#isStopping) {
        outgoing.shouldKeepAlive = false;
        refuse(incoming, outgoing);
        return;
      }
      this.#count(incoming, outgoing);
      listener(incoming, outgoing);
    };
  }

  /** Ends when the server has no connection any more. */
  async stop(server: Server): Promise<void> {
    this.#isStopping = true;
    const closed = new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
    for (const [end, socket] of this.#sockets) if (this.#open(end) === 0) socket.destroy();
    const cut = setTimeout(() => {
      for (const socket of this.#sockets.values()) socket.destroy();
    }, MAX_STOPPING_MS);
    await closed.finally(() => clearTimeout(cut));
  }

  #open(end: string): number {
    return this.#openRequests.get(end) ?? 0;
  }

  #count({ socket }: IncomingMessage, outgoing: ServerResponse): void {
    const end = otherEnd(socket);
    this.#openRequests.set(end, this.#open(end) + 1);
    const writeHead = outgoing.writeHead.bind(outgoing) as (...args: unknown[]) => ServerResponse;
    outgoing.writeHead = (...args: unknown[]) => {
      if (this.#isStopping && this.#open(end) === 1) outgoing.shouldKeepAlive = false;
      return writeHead(...args);
    };
    outgoing.once('close', () => {
      if (!this.#sockets.has(end)) return;
      this.#openRequests.set(end, this.#open(end) - 1);
      if (this.#isStopping && this.#open(end) === 0) socket.destroySoon();
    });
  }
}

/** The socket of a request over TLS is another object than that of its connection; their other end is the same. */
function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
