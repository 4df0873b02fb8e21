/** Whether the node is an argument of `new …Error(…)` or stands in a `throw`. */
function isInError(path) {
  const above = path.findParent(
    (node) => node.isFunction() || node.isThrowStatement() || (node.isNewExpression() && isError(node.node)),
  );
  return above !== null && !above.isFunction();
}

function isError({ callee }) {
  return /Error$/.test(callee.name ?? '');
}

/**
 * Leaves the texts of errors as they are. A test holds the names and the remedy in a message, never each of its words, so
 * that an emptied piece of it says nothing about the tests.
 */
const messages = {
  shouldIgnore: (path) =>
    (path.isStringLiteral() || path.isTemplateLiteral()) && isInError(path) ? 'text of an error' : undefined,
};

/** Leaves calls of `super.method()` as they are: Stryker makes `super` alone of some, with which no test file loads. */
const superCalls = {
  shouldIgnore: (path) =>
    path.isCallExpression() && path.node.callee.object?.type === 'Super' ? 'call of super' : undefined,
};

/** Leaves calls of `keepShape` as they are: they change how fast code runs, and nothing that it does. */
const keptShapes = {
  shouldIgnore: (path) =>
    path.isCallExpression() && path.node.callee.name === 'keepShape' ? 'shape that is kept' : undefined,
};

export const strykerPlugins = [
  { kind: 'Ignore', name: 'messages', value: messages },
  { kind: 'Ignore', name: 'super-calls', value: superCalls },
  { kind: 'Ignore', name: 'kept-shapes', value: keptShapes },
];
