import type { Fetch } from '../../src/client/http/request.js';
import { createTransport, type Transport, type TransportOptions } from '../../src/client/http/transport.js';

/** One answer of a script, or a failure to answer. */
export type Scripted = Response | Error | ((request: Request) => Response | Promise<Response>);

export function json(value: unknown, init: ResponseInit = {}): Response {
  const headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string>) };
  return new Response(JSON.stringify(value), { ...init, headers });
}

/** A transport whose requests are answered by a script, in order; the last answer repeats. */
export function scripted(
  script: Scripted[],
  options: Partial<TransportOptions> = {},
): { transport: Transport; requests: Request[] } {
  const requests: Request[] = [];
  const fetch: Fetch = async (request) => {
    const answer = script[Math.min(requests.length, script.length - 1)]!;
    requests.push(request);
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(request) : answer.clone();
  };
  const retry = { firstWaitMs: 0, maxWaitMs: 0 };
  const transport = createTransport({
    host: 'http://service.invalid',
    token: 'secret',
    fetch,
    retry,
    ...options,
  });
  return { transport, requests };
}
