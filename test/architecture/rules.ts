import { posix } from 'node:path';
import { findCycles } from './cycles.js';
import { ENTRY_FILES, FORBIDDEN_WORDS, ROOMS, SHELVES } from './rooms.js';
import type { ImportReference, SourceFile } from './source-file.js';
import { readSourceFile } from './source-file.js';

/** A broken rule; the text names the file, the import where there is one, and the rule. */
export type Violation = string;

/**
 * Checks a source tree against the room table.
 * @param tree text by path from `src`, with forward slashes
 */
export function checkArchitecture(tree: ReadonlyMap<string, string>): Violation[] {
  const files = [...tree].map(([path, text]) => readSourceFile(path, text));
  const edges = new Map<string, string[]>();
  const violations = files.flatMap((file) => {
    const targets = file.imports.map(({ specifier }) =>
      sourceOf(resolveRelative(file.path, specifier), tree),
    );
    edges.set(
      file.path,
      targets.filter((target) => target !== undefined),
    );
    return [
      ...checkName(file.path),
      ...checkForm(file),
      ...file.imports.flatMap((reference) => checkImport(file.path, reference, tree)),
    ];
  });
  const cycles = findCycles(edges).map(
    (cycle) =>
      `${cycle.map((path) => `src/${path}`).join(' → ')}: imports go round in a circle; move what they share into a file that imports neither`,
  );
  return [...violations, ...cycles];
}

/** The file of `src` that a relative specifier means, or null for a package. */
function resolveRelative(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
}

/** The file of the tree at a path, which may be written in TSX. */
function sourceOf(path: string | null, tree: ReadonlyMap<string, string>): string | undefined {
  if (path === null) return undefined;
  return [path, `${path}x`].find((candidate) => tree.has(candidate));
}

/** The room of a file: its first folder, or `root` for the files directly in `src`. */
export function roomOf(path: string): string {
  const slash = path.indexOf('/');
  return slash < 0 ? 'root' : path.slice(0, slash);
}

function checkName(path: string): Violation[] {
  const violations: Violation[] = [];
  const room = roomOf(path);
  if (ROOMS[room] === undefined) {
    violations.push(
      `src/${path}: there is no room "${room}"; add it to test/architecture/rooms.ts or move it`,
    );
  }
  if (room === 'root' && ENTRY_FILES[path] === undefined) {
    violations.push(`src/${path}: only ${Object.keys(ENTRY_FILES).join(', ')} stand directly in src`);
  }
  for (const part of path.replace(/\.tsx?$/, '').split('/')) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part)) {
      violations.push(`src/${path}: "${part}" is not kebab-case`);
    }
    const word = part.split('-').find((candidate) => FORBIDDEN_WORDS.includes(candidate));
    if (word !== undefined) {
      violations.push(`src/${path}: the name "${word}" says nothing; name the concept that the file holds`);
    }
  }
  return violations;
}

function checkForm(file: SourceFile): Violation[] {
  const where = `src/${file.path}`;
  const violations = [
    ...file.defaultExports.map((line) => `${where}:${line}: default exports are refused; export a name`),
    ...(ENTRY_FILES[file.path]?.length ? [] : file.starExports).map(
      (line) => `${where}:${line}: "export *" is refused but between entry files; list the names`,
    ),
    ...file.requires.map((line) => `${where}:${line}: a dependency by require is hidden; use import`),
  ];
  if (file.isBarrel && roomOf(file.path) !== 'root') {
    violations.push(
      `${where}: a file of re-exports alone (a barrel) is refused; import from the file that declares`,
    );
  }
  return violations;
}

function checkImport(
  path: string,
  reference: ImportReference,
  tree: ReadonlyMap<string, string>,
): Violation[] {
  const target = resolveRelative(path, reference.specifier);
  if (/\.css$/.test(reference.specifier) && roomOf(path) === 'explorer') return [];
  // Data are read as they are, from beside the file that needs them.
  if (/^\.\/[^/]+\.json$/.test(reference.specifier)) return [];
  const reason =
    target === null
      ? refusePackage(path, reference)
      : (refuseSpelling(reference.specifier) ?? refuseTarget(path, target, tree));
  return reason === null
    ? []
    : [`src/${path}:${reference.line}: imports "${reference.specifier}": ${reason}`];
}

function refuseSpelling(specifier: string): string | null {
  return specifier.endsWith('.js') ? null : 'relative imports end in .js';
}

function refuseTarget(path: string, target: string, tree: ReadonlyMap<string, string>): string | null {
  if (target.startsWith('../')) return 'src imports nothing outside of src';
  if (sourceOf(target, tree) === undefined) return `there is no src/${target}`;
  const from = roomOf(path);
  const to = roomOf(target);
  if (from === 'root' && to === 'root') {
    return ENTRY_FILES[path]?.includes(target)
      ? null
      : `src/${path} may import of the entry files only: ${ENTRY_FILES[path]?.join(', ') || 'none'}`;
  }
  const { imports: allowed = [] } = ROOMS[from] ?? {};
  if (from === to) return refuseShelf(shelfOf(path), shelfOf(target));
  if (allowed.includes(to)) return null;
  return `room ${from} may not import room ${to} (it may import: ${allowed.join(', ') || 'none'})`;
}

/** The listed shelf that holds a file, or undefined. */
function shelfOf(path: string): string | undefined {
  return Object.keys(SHELVES).find((shelf) => path.startsWith(`${shelf}/`));
}

function refuseShelf(from: string | undefined, to: string | undefined): string | null {
  if (from === undefined || to === undefined || from === to) return null;
  const allowed = SHELVES[from]!;
  return allowed.includes(to)
    ? null
    : `shelf ${from} may not import shelf ${to} (it may import: ${allowed.join(', ') || 'none'})`;
}

function refusePackage(path: string, { specifier, typeOnly }: ImportReference): string | null {
  const name = roomOf(path);
  const room = ROOMS[name];
  if (room === undefined) return null;
  const owner = packageName(specifier);
  const onlyTypes = room.packageTypes?.includes(owner) ?? false;
  if (typeOnly && onlyTypes) return null;
  const places = room.packages[owner] ?? (owner.startsWith('node:') ? room.packages['node:*'] : undefined);
  if (places === 'anywhere' || places?.some((place) => path.startsWith(place))) return null;
  const refusal = `room ${name} may not import package ${owner}${onlyTypes ? ', but for its types' : ''}`;
  return places === undefined ? refusal : `${refusal} outside of ${places.map(describePlace).join(', ')}`;
}

function describePlace(place: string): string {
  return `src/${place}${/(\/|\.ts)$/.test(place) ? '' : '….ts'}`;
}

/** `@scope/name` or `name` of an import of a package or of a file in it. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
