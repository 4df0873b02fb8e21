import type { EndpointAnswer, EndpointInput, EndpointName } from '../contract/endpoints.js';
import type { ServiceContext } from './context.js';

/** The socket over which a request arrived. */
export interface Connection {
  /** The IP address of the other end. */
  readonly address: string;
  /** The port of this end. */
  readonly localPort: number;
}

/**
 * A whole service as a function: a server calls it for a socket, and a client in the same process calls it directly,
 * without a connection.
 */
export interface Service {
  (request: Request, connection?: Connection | undefined): Promise<Response>;
  /** Called by a server with what it refuses itself, for the log and the metrics. */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
}

/** A request that a server refused before the service saw it, because it could not be read or the server stops. */
export interface Refusal {
  /** The id that the answer has. */
  readonly requestId: string;
  /** The IP address of the other end of the socket. */
  readonly address: string;
  /** The HTTP method; empty where it could not be read. */
  readonly method: string;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** What is wrong, as the answer says it. */
  readonly reason: string;
}

/** A request while it is answered, and what becomes known of it. */
export interface RequestContext {
  readonly request: Request;
  /** The socket over which it arrived; absent for a call in the same process. */
  readonly connection: Connection | undefined;
  /** The IP address of the client; null for a call in the same process. */
  readonly address: string | null;
  /** Logs a fault of the service that happens after its answer has begun. */
  readonly onFailure: (error: unknown) => void;
  /** The path of its operation, with the names of parameters; `other` for every other path. */
  path: string;
  /** Who makes the request, by the name of the token; null before one is accepted. */
  holder: string | null;
  /** True when the client left before its request was complete or answered. */
  aborted?: true | undefined;
  /** The reason of a status of 500 and above. */
  failure?: string | undefined;
}

/** A parsed request. */
export type HandlerInput<Name extends EndpointName> = EndpointInput<Name> & {
  readonly request: Request;
  /** Who makes the request, by the name of the token; empty for an operation that needs none. */
  readonly holder: string;
  /** The IP address of the client; null for a call in the same process. */
  readonly address: string | null;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Logs a fault of the service that happens after its answer has begun. */
  readonly onFailure: (error: unknown) => void;
};

/**
 * One handler per endpoint. It returns the JSON value of the answer, null for an empty answer, or a response where the
 * answer is streamed.
 */
export type Handlers = {
  readonly [Name in EndpointName]: (
    input: HandlerInput<Name>,
    service: ServiceContext,
  ) => Promise<EndpointAnswer<Name> extends null ? Response : EndpointAnswer<Name> | null>;
};
