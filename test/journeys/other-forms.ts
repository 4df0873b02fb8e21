import type { Fetch } from '../../src/client/http/request.js';

/** The same service as over a network: an answer is its bytes alone. */
export function overBytes(service: Fetch): Fetch {
  return async (request) => {
    const { status, headers, body } = await service(request);
    return new Response(body, { status, headers });
  };
}
