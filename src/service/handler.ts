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
export type Service = (request: Request, connection?: Connection | undefined) => Promise<Response>;

/** A parsed request. */
export type HandlerInput<Name extends EndpointName> = EndpointInput<Name> & {
  readonly request: Request;
  /** Who makes the request, by the name of the token; empty for an operation that needs none. */
  readonly holder: string;
  /** The IP address of the client; null for a call in the same process. */
  readonly address: string | null;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
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
