import ts from 'typescript-api';

/** One import, re-export, `import()` or import type, as written. */
export interface ImportReference {
  readonly specifier: string;
  /** Counted from 1. */
  readonly line: number;
  /** Erased by the compiler: nothing is loaded when the program runs. */
  readonly typeOnly: boolean;
}

/** What the architecture rules need to know of one file. */
export interface SourceFile {
  /** From `src`, with forward slashes: `store/duckdb/points.ts`. */
  readonly path: string;
  readonly imports: readonly ImportReference[];
  /** Lines of `export default`, `export =` and `export { x as default }`. */
  readonly defaultExports: readonly number[];
  /** Lines of `export * from`, with or without a name. */
  readonly starExports: readonly number[];
  /** Lines of `require('…')` and `import x = require('…')`. */
  readonly requires: readonly number[];
  /** Holds re-exports, and nothing else but imports. */
  readonly isBarrel: boolean;
}

export function readSourceFile(path: string, text: string): SourceFile {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = { imports: [] as ImportReference[], requires: [] as number[] };
  visitReferences(file, file, found);
  return {
    path,
    ...found,
    defaultExports: file.statements.filter(isDefaultExport).map((statement) => lineOf(file, statement)),
    starExports: file.statements.filter(isStarExport).map((statement) => lineOf(file, statement)),
    isBarrel: file.statements.some(isReexport) && file.statements.every(isImportOrReexport),
  };
}

function visitReferences(
  file: ts.SourceFile,
  node: ts.Node,
  found: { imports: ImportReference[]; requires: number[] },
): void {
  const reference = importReference(node);
  if (reference !== null) found.imports.push({ ...reference, line: lineOf(file, node) });
  if (isRequire(node)) found.requires.push(lineOf(file, node));
  ts.forEachChild(node, (child) => visitReferences(file, child, found));
}

function importReference(node: ts.Node): Omit<ImportReference, 'line'> | null {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, typeOnly: isTypeImport(node.importClause) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, typeOnly: isTypeExport(node) };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const specifier = node.arguments[0];
    return specifier && ts.isStringLiteralLike(specifier)
      ? { specifier: specifier.text, typeOnly: false }
      : null;
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const { literal } = node.argument;
    return ts.isStringLiteral(literal) ? { specifier: literal.text, typeOnly: true } : null;
  }
  return null;
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  if (clause.name !== undefined || bindings === undefined || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}

function isTypeExport(node: ts.ExportDeclaration): boolean {
  if (node.isTypeOnly) return true;
  const clause = node.exportClause;
  if (clause === undefined || !ts.isNamedExports(clause)) return false;
  return clause.elements.length > 0 && clause.elements.every((element) => element.isTypeOnly);
}

function isRequire(node: ts.Node): boolean {
  if (ts.isExternalModuleReference(node)) return true;
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return false;
  const [argument] = node.arguments;
  return node.expression.text === 'require' && argument !== undefined && ts.isStringLiteralLike(argument);
}

function isDefaultExport(statement: ts.Statement): boolean {
  if (ts.isExportAssignment(statement)) return true;
  if (ts.isExportDeclaration(statement) && statement.exportClause) {
    const clause = statement.exportClause;
    return ts.isNamedExports(clause) && clause.elements.some((element) => element.name.text === 'default');
  }
  if (!ts.canHaveModifiers(statement)) return false;
  return (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
}

function isStarExport(statement: ts.Statement): boolean {
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) return false;
  return statement.exportClause === undefined || ts.isNamespaceExport(statement.exportClause);
}

function isReexport(statement: ts.Statement): boolean {
  return ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined;
}

function isImportOrReexport(statement: ts.Statement): boolean {
  return ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
}

function lineOf(file: ts.SourceFile, node: ts.Node): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}
