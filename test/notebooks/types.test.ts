import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf, type Notebook } from './notebook.js';
import { createWorkspace, type Workspace } from './workspace.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'notebooks');

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace();
});
afterAll(() => workspace?.close());

// Kernels run code without checking its types: a misspelt field is undefined there.
it('the code of every notebook has the types of the package', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.ipynb'));
  for (const name of names) {
    const notebook = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Notebook;
    writeFileSync(join(workspace.folder, name.replace('.ipynb', '.ts')), codeOf(notebook));
  }
  const extended = join(ROOT, 'tsconfig.json');
  writeFileSync(
    join(workspace.folder, 'tsconfig.json'),
    JSON.stringify({ extends: extended, include: ['*.ts'] }),
  );
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  const { stdout, status } = spawnSync(tsc, ['-p', workspace.folder, '--noEmit'], { encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
