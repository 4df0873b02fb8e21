import type { Fetch } from '../../src/client/sending/send.js';

/** The same service as another one that sends points as plain Arrow. Answers are made of their bytes. */
export function withoutRuns(service: Fetch): Fetch {
  return async (request) => {
    const headers = new Headers(request.headers);
    headers.set('accept', (headers.get('accept') ?? '').replace('application/vnd.cropframe.runs, ', ''));
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
