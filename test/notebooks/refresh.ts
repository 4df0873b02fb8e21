import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cellFailures, type Notebook } from './notebook.js';
import { prepareNotebooks } from './prepare.js';
import { createWorkspace } from './workspace.js';

/**
 * `npm run notebooks`: executes every notebook, or those whose names begin with an argument, and keeps the outputs in the
 * files, for readers without a kernel.
 */
const folder = fileURLToPath(new URL('../../notebooks', import.meta.url));
const chosen = process.argv.slice(2);
const reason = await prepareNotebooks();
if (reason !== null) {
  console.error(reason);
  process.exit(1);
}
const workspace = await createWorkspace();
try {
  const isChosen = (file: string) => chosen.length === 0 || chosen.some((begin) => file.startsWith(begin));
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.ipynb') && isChosen(file))) {
    const path = join(folder, name);
    const executed = await workspace.execute(name, JSON.parse(readFileSync(path, 'utf8')) as Notebook);
    const failures = cellFailures(executed);
    if (failures.length === 0) writeFileSync(path, `${JSON.stringify(executed, null, 1)}\n`);
    else process.exitCode = 1;
    console.log(`${name}: ${failures.length === 0 ? 'refreshed' : `left as it was\n${failures.join('\n')}`}`);
  }
} finally {
  await workspace.close();
}
