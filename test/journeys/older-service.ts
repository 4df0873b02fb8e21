import type { Fetch } from '../../src/client/sending/send.js';

const ARROW = 'application/vnd.apache.arrow.stream';

/**
 * The same service as one of an older release, which knows the forms of points of its time: it looks for their names in
 * the `accept` header, and ignores the parameters that it does not know. Answers are made of their bytes.
 */
export function olderService(service: Fetch, newest: 'crc32' | 'plain'): Fetch {
  const known = newest === 'crc32' ? [`${ARROW};checksum=crc32`, ARROW] : [ARROW];
  return async (request) => {
    const accept = (request.headers.get('accept') ?? '').replaceAll(' ', '');
    const type = known.find((one) => accept.includes(one));
    if (type === undefined) return overBytes(service)(request);
    const headers = new Headers(request.headers);
    headers.set('accept', type);
    const { method, url, signal } = request;
    const body = method === 'GET' ? null : await request.text();
    return overBytes(service)(new Request(url, { method, headers, body, signal }));
  };
}

/** The same service as over a network: an answer is its bytes alone. */
export function overBytes(service: Fetch): Fetch {
  return async (request) => {
    const { status, headers, body } = await service(request);
    return new Response(body, { status, headers });
  };
}
