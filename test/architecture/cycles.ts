/**
 * The circles of a graph: one path for every group of nodes that reach one another, starting and ending at the
 * group's first node by name (Tarjan's strongly connected components).
 */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  const visit = (node: string): void => {
    order.set(node, order.size);
    low.set(node, order.get(node)!);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) {
        visit(next);
        low.set(node, Math.min(low.get(node)!, low.get(next)!));
      } else if (stack.includes(next)) {
        low.set(node, Math.min(low.get(node)!, order.get(next)!));
      }
    }
    if (low.get(node) !== order.get(node)) return;
    const group = stack.splice(stack.indexOf(node)).sort();
    const circle = shortestCircle(group, edges);
    if (circle !== null) cycles.push(circle);
  };

  for (const node of [...edges.keys()].sort()) if (!order.has(node)) visit(node);
  return cycles;
}

/** The shortest way from the group's first node back to it, by breadth first; null when there is none. */
function shortestCircle(
  group: readonly string[],
  edges: ReadonlyMap<string, readonly string[]>,
): string[] | null {
  const start = group[0]!;
  const inside = new Set(group);
  const paths: string[][] = [[start]];
  const seen = new Set<string>();
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    for (const next of edges.get(path.at(-1)!) ?? []) {
      if (next === start) return [...path, start];
      if (!inside.has(next) || seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  return null;
}
