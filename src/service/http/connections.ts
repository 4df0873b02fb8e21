import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request that has not arrived whole is cut when nothing more of it arrives for this long after a stop. */
const MAX_SILENCE_MS = 1000;

/**
 * The connections of a server, with the requests that each has open. Once the server stops, connections without one are
 * closed at once, whatever they have sent of a request; the others when their request has been answered.
 */
export class Connections {
  /** Every connection by its other end, TLS handshakes included. */
  readonly #sockets = new Map<string, Socket>();
  readonly #open = new Map<string, Set<IncomingMessage>>();
  #isStopping = false;

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const end = otherEnd(socket);
      this.#sockets.set(end, socket);
      socket.once('close', () => {
        this.#sockets.delete(end);
        this.#open.delete(end);
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

  /** Ends when the server has no connection any more; after `withinMs`, what is still open is cut. */
  async stop(server: Server, withinMs: number): Promise<void> {
    this.#isStopping = true;
    const closed = new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
    for (const [end, socket] of this.#sockets) if (this.#openOf(end).size === 0) socket.destroy();
    const watching = this.#cutSilent();
    const cut = setTimeout(() => {
      for (const socket of this.#sockets.values()) socket.destroy();
    }, withinMs);
    await closed.finally(() => {
      clearInterval(watching);
      clearTimeout(cut);
    });
  }

  #cutSilent(): NodeJS.Timeout {
    const heard = new Map<Socket, number>();
    return setInterval(() => {
      for (const [end, socket] of this.#sockets) {
        const isWaiting = [...this.#openOf(end)].some((incoming) => !incoming.complete);
        if (isWaiting && heard.get(socket) === socket.bytesRead) socket.destroy();
        else heard.set(socket, socket.bytesRead);
      }
    }, MAX_SILENCE_MS);
  }

  /** Whether a request over this connection has reached the service and is not answered. */
  hasOpen(socket: Socket): boolean {
    return this.#openOf(otherEnd(socket)).size > 0;
  }

  #openOf(end: string): Set<IncomingMessage> {
    return this.#open.get(end) ?? new Set();
  }

  #count(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const end = otherEnd(socket);
    const open = this.#openOf(end).add(incoming);
    this.#open.set(end, open);
    const writeHead = outgoing.writeHead.bind(outgoing) as (...args: unknown[]) => ServerResponse;
    outgoing.writeHead = (...args: unknown[]) => {
      if (this.#isStopping && open.size === 1) outgoing.shouldKeepAlive = false;
      return writeHead(...args);
    };
    outgoing.once('close', () => {
      open.delete(incoming);
      if (this.#isStopping && open.size === 0) socket.destroySoon();
    });
  }
}

/** The socket of a request over TLS is another object than that of its connection; their other end is the same. */
function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
