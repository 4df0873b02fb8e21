import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Notebook } from '../notebooks/notebook.js';
import { temporaryFolder } from '../temporary-files.js';
import { type CodeBlock, listMarkdown, ROOT, readBlocks } from './markdown.js';
import { linkPackages } from './run-recipe.js';

/** What stands before the blocks of a page that go on from its text: the names that they use and do not make. */
const GIVEN: Readonly<Record<string, string>> = {
  access_token: 'string',
  client: "import('cropframe').Client",
  daily: "import('cropframe').WideFrame",
  df: frameType({ farm: 'Utf8', year: 'Float64', crop: 'Utf8', area: 'Float64', yield: 'Float64' }),
  frame: "import('cropframe').LongFrame",
  item_id: 'number',
  long: "import('cropframe').LongFrame",
  metric_id: 'number',
  module: "import('cropframe').DanfoModule",
  owners: frameType({ name: 'Utf8', state: 'Utf8' }),
  rain: frameType({ day: 'TimestampMillisecond', mm: 'Float64' }),
  table: "import('cropframe').LongFrame",
  wide: "import('cropframe').WideFrame",
};

/** The type of a frame with columns of these Arrow types. */
function frameType(columns: Readonly<Record<string, string>>): string {
  const types = Object.entries(columns).map(([name, type]) => `${name}: import('apache-arrow').${type}`);
  return `import('cropframe').Frame<{ ${types.join('; ')} }>`;
}

const BLOCKS = listMarkdown()
  .flatMap(readBlocks)
  .filter(({ language }) => language === 'ts' || language === 'typescript');

/** Kernels run code without checking its types: a misspelt field is undefined there. */
const NOTEBOOKS = readdirSync(join(ROOT, 'notebooks')).filter((name) => name.endsWith('.ipynb'));

const folder = temporaryFolder();
let errors: string;

/** The program of a block: its code, after the names that it uses and does not make. */
function programOf({ text }: CodeBlock): string {
  const given = Object.entries(GIVEN)
    .filter(([name]) => new RegExp(`(?<![.\\w'-])${name}\\b(?!['-])`).test(text) && !declares(text, name))
    .map(([name, type]) => `declare const ${name}: ${type};`);
  return [...given, text, 'export {};'].join('\n');
}

function declares(text: string, name: string): boolean {
  return new RegExp(
    `(const|let|function) ${name}\\b|(const|let|import) \\{[^}]*\\b${name}\\b[^}]*\\}|: ${name}\\b[^}]*\\} =|\\(${name}\\b[^()]*\\) =>`,
  ).test(text);
}

function nameOf({ file, line }: CodeBlock): string {
  return `${file.replaceAll(/[^\w]/g, '-')}-${line}`;
}

beforeAll(async () => {
  linkPackages(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const block of BLOCKS) writeFileSync(join(folder, `${nameOf(block)}.ts`), programOf(block));
  for (const name of NOTEBOOKS) {
    const notebook = JSON.parse(readFileSync(join(ROOT, 'notebooks', name), 'utf8')) as Notebook;
    writeFileSync(join(folder, `${name}.ts`), codeOf(notebook));
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        rootDir: '/',
        typeRoots: [join(ROOT, 'node_modules', '@types')],
        paths: {
          cropframe: [join(ROOT, 'dist', 'index.d.ts')],
          'cropframe/*': [join(ROOT, 'dist', '*.d.ts')],
        },
      },
      include: ['*.ts'],
    }),
  );
  errors = compile();
});
/** What the compiler says about the programs, nothing when they are sound. */
function compile(): string {
  try {
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    return execFileSync(process.execPath, [tsc, '-p', folder, '--noEmit', '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

describe('the TypeScript of the documentation', () => {
  it('is there', () => {
    expect(BLOCKS.length).toBeGreaterThan(30);
  });

  it.each(BLOCKS.map((block) => [`${block.file}:${block.line} ${block.heading}`, block] as const))(
    'fits the public types: %s',
    (_, block) => {
      const own = errors.split('\n').filter((line) => line.startsWith(`${nameOf(block)}.ts`));
      expect(own).toEqual([]);
    },
  );

  it.each(NOTEBOOKS)('of %s fits the public types', (name) => {
    expect(errors.split('\n').filter((line) => line.startsWith(`${name}.ts`))).toEqual([]);
  });

  it('is all that the compiler complains of', () => {
    const names = new Set([...BLOCKS.map(nameOf), ...NOTEBOOKS].map((name) => `${name}.ts`));
    const others = errors.split('\n').filter((line) => line !== '' && !names.has(line.split('(')[0]!));
    expect(others.filter((line) => !line.startsWith(' '))).toEqual([]);
  });
});
