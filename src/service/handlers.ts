import type { EndpointAnswer, EndpointInput, EndpointName } from '../contract/endpoints.js';
import type { ServiceContext } from './context.js';

/** A whole service as a function: what a server serves over a socket, and what a client in the same process calls. */
export type Service = (request: Request) => Promise<Response>;

/** A parsed request. */
export type HandlerInput<Name extends EndpointName> = EndpointInput<Name> & {
  readonly request: Request;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
};

/**
 * One handler an endpoint: it gives the answer's JSON value, null for an empty one, or a whole response where the answer
 * is streamed.
 */
export type Handlers = {
  readonly [Name in EndpointName]: (
    input: HandlerInput<Name>,
    service: ServiceContext,
  ) => Promise<EndpointAnswer<Name> extends null ? Response : EndpointAnswer<Name> | null>;
};
