import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFiles } from '../temporary-files.js';
import { useDemoService } from './demo-service.js';

const demo = useDemoService();
const { file } = temporaryFiles();

it('the OpenAPI document passes the linter', async () => {
  const answer = await demo.service(new Request('http://service.invalid/openapi.json'));
  const path = file('openapi.json', await answer.text());
  const program = join('node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const args = [program, 'lint', path, '--config', 'redocly.yaml', '--format', 'json'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch((error) => error);
  const found = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: { message: string }[] };
  expect(found.problems.map(({ message }) => message)).toEqual([]);
  expect(found).toMatchObject({ totals: { errors: 0, warnings: 0 } });
});
