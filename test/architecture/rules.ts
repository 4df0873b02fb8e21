import { posix } from 'node:path';
import ts from 'typescript-api';
import { ENTRY_FILES, PACKAGE_TYPES, PACKAGES, ROOMS, SHELVES } from './rooms.js';

interface Import {
  readonly specifier: string;
  /** Written with `import type`, so that nothing is loaded. */
  readonly typeOnly: boolean;
}

/** Checks the imports of a source tree, whose texts are keyed by path from `src`, and returns a line for each violation. */
export function checkArchitecture(tree: ReadonlyMap<string, string>): string[] {
  const imports = new Map([...tree].map(([path, text]) => [path, readImports(text)]));
  const refusals = [...imports].flatMap(([path, list]) =>
    list.flatMap((each) => {
      const target = resolveImport(path, each.specifier);
      const reason = target === null ? refusePackage(path, each) : refuseFile(path, target);
      return reason === null ? [] : [`src/${path} imports "${each.specifier}": ${reason}`];
    }),
  );
  const edges = new Map([...imports].map(([path, list]) => [path, importedFiles(path, list, tree)]));
  const cycle = findCycle(edges);
  return cycle === null
    ? refusals
    : [...refusals, `${cycle.join(' → ')}: imports form a cycle; move what they share into another file`];
}

/** Reads the imports of a file, those of types and lazy ones included. */
export function readImports(text: string): Import[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => {
    const statement = text.slice(Math.max(text.lastIndexOf(';', pos), 0), pos);
    return { specifier: fileName, typeOnly: /\b(import|export) type\b(?![\s\S]*\bimport\b)/.test(statement) };
  });
}

/** Resolves a relative specifier to a path from `src`. Returns null for a package. */
function resolveImport(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
}

function importedFiles(path: string, list: readonly Import[], tree: ReadonlyMap<string, string>): string[] {
  return list.flatMap(({ specifier }) => {
    const target = resolveImport(path, specifier);
    return [target, `${target}x`].filter(
      (candidate) => candidate !== null && tree.has(candidate),
    ) as string[];
  });
}

function roomOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : 'root';
}

function refuseFile(path: string, target: string): string | null {
  const [from, to] = [roomOf(path), roomOf(target)];
  if (from === 'root' && to === 'root') return refuse(ENTRY_FILES, path, target);
  if (from !== to) return refuse(ROOMS, from, to);
  const [shelf, other] = [path, target].map((file) =>
    Object.keys(SHELVES).find((each) => file.startsWith(`${each}/`)),
  );
  return shelf === undefined || other === undefined || shelf === other ? null : refuse(SHELVES, shelf, other);
}

function refuse(table: Readonly<Record<string, string>>, from: string, to: string): string | null {
  const allowed = table[from];
  if (allowed === undefined) return `test/architecture/rooms.ts does not list ${from}`;
  if (allowed.split(' ').includes(to)) return null;
  return `${from} may not import ${to} (it may import: ${allowed.replaceAll(' ', ', ') || 'none'})`;
}

function refusePackage(path: string, { specifier, typeOnly }: Import): string | null {
  const name = specifier.startsWith('node:') ? 'node' : packageName(specifier);
  const isAllowed = (places = '') =>
    places.split(' ').some((place) => place !== '' && path.startsWith(place));
  if (isAllowed(PACKAGES[name]) || (typeOnly && isAllowed(PACKAGE_TYPES[name]))) return null;
  return `package ${name} is for ${PACKAGES[name]?.replaceAll(' ', ', ') ?? 'no file'}`;
}

/** Returns the package of a specifier, which may name a file in it. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Finds a cycle in a graph, and returns its nodes with the first repeated at the end. */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle !== null) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of edges.keys()) {
    const cycle = visit(node, []);
    if (cycle !== null) return cycle;
  }
  return null;
}
