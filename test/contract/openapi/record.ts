import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { singleTokenAuthorizer } from '../../../src/service/access/auth.js';
import { createService } from '../../../src/service/service.js';
import { openStore } from '../../../src/store/open.js';
import { IMPORTED, TOKEN } from '../../journeys/demo-service.js';
import { answerOf, RECORDED } from './answers.js';

// Writes the answers that the documentation shows: `node --import tsx test/contract/openapi/record.ts`.

const FILE = 'src/contract/openapi/examples.json';

async function record(): Promise<void> {
  const store = await openStore(':memory:');
  await importDataset(store, documentImporter('demo'), { importedMs: Date.parse(IMPORTED) });
  const service = createService(store, { authorize: singleTokenAuthorizer(TOKEN) });
  const answers: Record<string, unknown> = {};
  for (const name of RECORDED) answers[name] = await answerOf({ service }, name);
  await store.close();
  const examples = JSON.parse(readFileSync(FILE, 'utf8')) as object;
  writeFileSync(FILE, JSON.stringify({ ...examples, answers }));
  execFileSync('npx', ['biome', 'check', '--write', FILE], { stdio: 'inherit' });
}

record();
