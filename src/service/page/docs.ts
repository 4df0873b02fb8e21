import type { Endpoint } from '../../contract/addresses.js';
import { endpoints } from '../../contract/endpoints.js';
import { openApiDocument } from '../../contract/openapi/document.js';
import { VERSION } from '../../contract/wire-names.js';
import { NotFoundError } from '../../model/errors.js';
import { jsonAnswer } from '../http/answers.js';
import { documentHeaders, fileAnswer, readDocsFile } from './page.js';

let contract: ReturnType<typeof openApiDocument> | undefined;

/** `GET /openapi.json`: the contract for programs, made when it is first asked for. */
export function openApiAnswer(): Response {
  contract ??= openApiDocument(VERSION);
  return jsonAnswer(contract);
}

/**
 * `GET /docs`: the contract for people. Swagger UI takes the place of the list of operations, which is for those without
 * scripts. Addresses are relative to the folder of the page.
 */
export function docsAnswer(): Response {
  const page = [
    HEAD,
    `<body><main id="plain"><h1>cropframe ${VERSION}</h1>`,
    '<p>Send <code>authorization: Bearer &lt;token&gt;</code>. Repeat a key to send a list. Dates are <code>YYYY-MM-DD</code> or ',
    'ISO 8601 timestamps, UTC. Every parameter is in <a href="openapi.json">openapi.json</a>.</p><ul>',
    ...Object.values(endpoints as Record<string, Endpoint>).map(listItem),
    '</ul></main></body></html>',
  ];
  return new Response(page.join('\n'), { headers: documentHeaders() });
}

const HEAD = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>cropframe HTTP API</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="docs/swagger-ui.css"><link rel="stylesheet" href="docs/docs.css">
<script defer src="docs/swagger-ui-bundle.js"></script><script defer src="docs/start.js"></script></head>`;

/** `GET /docs/{name}`: a script or style sheet of the documentation. */
export async function docsFileAnswer(request: Request, name: string): Promise<Response> {
  const file = await readDocsFile(name);
  if (file === null) {
    const { pathname } = new URL(request.url);
    throw new NotFoundError(404, pathname, `unknown path ${pathname}; see /docs`);
  }
  const answer = fileAnswer(request, file);
  answer.headers.set('cache-control', 'no-cache');
  return answer;
}

/** `GET /docs/`, from which relative addresses would miss. */
export function docsFolderAnswer(): Response {
  return new Response(null, { status: 308, headers: { location: '../docs' } });
}

function listItem({ method, path, summary, right }: Endpoint): string {
  const needed = right === undefined ? '' : ` The token needs the right <code>${right}</code>.`;
  return `<li><code>${method} ${path}</code> ${summary}.${needed}</li>`;
}
