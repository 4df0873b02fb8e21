import type { z } from 'zod';
import { CONTENT_DIGEST, matchesDigest } from '../../contract/content-digest.js';
import type { EndpointName } from '../../contract/endpoints.js';
import { ContractError } from '../../model/errors.js';
import { loadContract } from './contract.js';

/** The JSON answer of an operation, checked against its contract; null for an empty one. @throws ContractError */
export async function readJson(name: EndpointName, response: Response): Promise<unknown> {
  if (response.status === 204) return null;
  const value = await readJsonBody(name, response);
  const { endpoints } = await loadContract();
  const schema = endpoints[name].answer as z.ZodType;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw misfit(name, result.error.issues[0]!);
}

/** The JSON of an answer, after a check of its content type and of its digest, if it has one. @throws ContractError */
export async function readJsonBody(name: EndpointName, response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('json')) {
    const message = `${name}: answered ${response.status} with content type "${type}" instead of JSON`;
    throw new ContractError(name, message);
  }
  const content = new Uint8Array(await response.arrayBuffer());
  const coded = response.headers.has('content-encoding');
  if (!coded && !(await matchesDigest(content, response.headers.get(CONTENT_DIGEST))))
    throw new ContractError(
      name,
      `${name}: the answer does not match its content-digest: it was damaged in transit`,
    );
  try {
    return JSON.parse(new TextDecoder().decode(content));
  } catch (error) {
    throw new ContractError(name, `${name}: the answer is not complete JSON`, { cause: error });
  }
}

export function misfit(name: EndpointName, { path, message }: z.core.$ZodIssue): ContractError {
  const where = `${name}: the answer does not fit the contract at ${path.map(String).join('.')}`;
  return new ContractError(name, `${where}: ${message}`);
}
