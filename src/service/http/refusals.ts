import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { problemBody } from '../../contract/problems.js';
import { REQUEST_ID } from '../../contract/wire-names.js';
import { ArgumentError, CropframeError, HttpError } from '../../model/errors.js';
import type { Service } from '../handler.js';
import { problemAnswer } from './answers.js';

/** What the log says of requests without a Host, or with one that does not form a URL. */
export const MALFORMED = 'its Host header and its path do not form a URL';

export const STOPPING = 'the service is stopping';

/** The answer to a request without a Host, or with one that does not form a URL. */
export function refuseMalformed(error: unknown): Response {
  const wrong = error instanceof Error ? error.message : String(error);
  const message = `the request cannot be read (${wrong}); its Host header and its path must form a URL`;
  return withNewId(problemAnswer(new ArgumentError('request', message)));
}

/** The answer to requests on connections that are still open while the service stops. */
export const refuseWork: Service = async () => {
  const stopping = new HttpError(503, 'service', `${STOPPING}; try again later`, 'store');
  const answer = problemAnswer(stopping);
  answer.headers.set('retry-after', '5');
  return withNewId(answer);
};

function withNewId(answer: Response): Response {
  answer.headers.set(REQUEST_ID, randomUUID());
  return answer;
}

/** Answers what is not HTTP on its socket, and closes that. Nothing is written after or into an earlier answer. */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  refused: NonNullable<Service['refused']>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || (socket as Socket).bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [status, problem] = unreadable(error.code);
  const body = JSON.stringify(problemBody(problem));
  const requestId = randomUUID();
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID}: ${requestId}`,
    'connection: close',
  ];
  const address = (socket as Socket).remoteAddress ?? '';
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  refused({ requestId, address, method: '', status, reason: problem.message });
}

function unreadable(code: string | undefined): [status: number, problem: CropframeError] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [431, new CropframeError('too_large', 'the headers are too long; use POST /v2/data')];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [408, new CropframeError('timeout', 'the request did not arrive in time; send it faster')];
  return [400, new ArgumentError('request', 'the request is not valid HTTP')];
}
