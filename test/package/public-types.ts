import ts from 'typescript-api';
import { openProgram } from './public-names.js';

/**
 * What the types of entry points lack, one line each: a member without a docstring, a type of the package that no entry
 * point exports, and `any`. Types of other packages are not read.
 * @param entries absolute paths of the `.d.ts` files of all entry points
 */
export function findTypeFlaws(entries: readonly string[]): string[] {
  const program = openProgram(entries);
  const checker = program.getTypeChecker();
  const exported = new Map<ts.Symbol, string>();
  for (const entry of entries) {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${entry} is not a module`);
    for (const symbol of checker.getExportsOfModule(module))
      exported.set(resolveAlias(symbol, checker), symbol.name);
  }
  const reading = { checker, isExported: (symbol: ts.Symbol) => exported.has(symbol) };
  const flaws = [...exported].flatMap(([{ declarations = [] }, name]) =>
    declarations.flatMap((declaration) => [...flawsOf(declaration, name, reading)]),
  );
  return [...new Set(flaws)].sort();
}

interface Reading {
  readonly checker: ts.TypeChecker;
  readonly isExported: (symbol: ts.Symbol) => boolean;
}

function* flawsOf(node: ts.Node, path: string, reading: Reading): Generator<string, void, undefined> {
  if (node.kind === ts.SyntaxKind.AnyKeyword) yield `${path} is any`;
  const missing = unexportedName(node, reading);
  if (missing !== null) yield `${path} names ${missing}, which is not exported`;
  const inner = isMember(node) ? `${path}.${node.name?.getText() ?? '[index]'}` : path;
  if (isMember(node)) {
    if (isPrivate(node)) return;
    if (!isDocumented(node)) yield `${inner} has no docstring`;
  }
  if (ts.isInterfaceDeclaration(node)) yield* inheritedFlaws(node, reading);
  // The type of a constant is its value, inferred.
  if (ts.isVariableDeclaration(node) && node.type !== undefined && ts.isTypeLiteralNode(node.type)) return;
  for (const child of node.getChildren()) yield* flawsOf(child, inner, reading);
}

/** Lists inherited members without a docstring, such as options that are inferred from schemas. */
function* inheritedFlaws(
  node: ts.InterfaceDeclaration,
  { checker }: Reading,
): Generator<string, void, undefined> {
  for (const member of checker.getTypeAtLocation(node).getProperties()) {
    const isOurs = member.declarations?.some((one) => !one.getSourceFile().fileName.includes('node_modules'));
    if (isOurs && member.getDocumentationComment(checker).length === 0)
      yield `${node.name.text}.${member.name} has no docstring`;
  }
}

type Member =
  | ts.PropertySignature
  | ts.MethodSignature
  | ts.PropertyDeclaration
  | ts.MethodDeclaration
  | ts.GetAccessorDeclaration
  | ts.IndexSignatureDeclaration;

function isMember(node: ts.Node): node is Member {
  return (
    ts.isPropertySignature(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isGetAccessorDeclaration(node) ||
    ts.isIndexSignatureDeclaration(node)
  );
}

function isPrivate(node: Member): boolean {
  return (
    (node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
    (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0
  );
}

function isDocumented(node: ts.Node): boolean {
  return ts
    .getJSDocCommentsAndTags(node)
    .some((doc) => ts.isJSDoc(doc) && (ts.getTextOfJSDocComment(doc.comment) ?? '').trim() !== '');
}

/** The name of a type of this package that a type refers to and that is not exported; null when all is well. */
function unexportedName(node: ts.Node, { checker, isExported }: Reading): string | null {
  const name = referredName(node);
  const found = name === null ? undefined : checker.getSymbolAtLocation(name);
  if (found === undefined) return null;
  const symbol = resolveAlias(found, checker);
  const declaration = symbol.declarations?.[0];
  if (declaration === undefined || ts.isTypeParameterDeclaration(declaration)) return null;
  const isConstant = ts.isTypeQueryNode(node) && ts.isVariableDeclaration(declaration);
  return isConstant || isExported(symbol) ? null : symbol.name;
}

function referredName(node: ts.Node): ts.Node | null {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isTypeQueryNode(node)) return node.exprName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return node.qualifier ?? null;
  return null;
}

function resolveAlias(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

/**
 * The options of exported functions and methods, one line each, whose names are neither snake_case nor those of callbacks.
 * Ids in camelCase, which selections take from answers of the JSON base, are left out.
 */
export function findOptionsInCamelCase(entries: readonly string[]): string[] {
  const program = openProgram(entries);
  const checker = program.getTypeChecker();
  const exported = entries.flatMap((entry) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)!)!),
  );
  return [
    ...new Set(
      exported.flatMap((symbol) => {
        const type = typeOf(resolveAlias(symbol, checker), checker);
        const functions = [
          type,
          ...type.getProperties().map((property) => checker.getTypeOfSymbol(property)),
        ];
        return functions
          .flatMap((one) => one.getCallSignatures())
          .flatMap((call) => optionsOf(call, checker));
      }),
    ),
  ]
    .filter((name) => /[a-z][A-Z]/.test(name) && !/^on[A-Z]|Id$/.test(name))
    .sort();
}

function typeOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Type {
  const isType = (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) !== 0;
  return isType ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol);
}

/** The names of properties that this package declares for the parameters of a function. */
function optionsOf(call: ts.Signature, checker: ts.TypeChecker): string[] {
  return call.parameters.flatMap((parameter) => {
    const type = checker.getTypeOfSymbol(parameter);
    return (type.isUnion() ? type.types : [type])
      .flatMap((one) => one.getProperties())
      .filter(({ declarations = [] }) => declarations.some(ts.isPropertySignature))
      .map(({ name }) => name);
  });
}
