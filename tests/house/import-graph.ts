import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';

const ROOT = join(import.meta.dirname, '../..');

/** An import of one of the project's files by another; paths from the root, with slashes. */
export interface Arrow {
  from: string;
  to: string;
  /** Whether it is gone when types are stripped. */
  isType: boolean;
}

/** What a file imports of the project, dynamic imports included. */
function arrowsOf(from: string): Arrow[] {
  const text = readFileSync(join(ROOT, from), 'utf8');
  const { module, errors } = parseSync(from, text);
  if (errors.length > 0) throw new Error(`${from}: ${errors[0]!.message}`);
  const named = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      name: moduleRequest.value,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? [{ name: moduleRequest.value, isType }] : [])),
    ),
    // What is computed begins with no quote, and leads to no file that is known before it runs.
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      name: text.slice(start + 1, end - 1),
      isType: false,
    })),
  ];
  return named
    .filter(({ name }) => name.startsWith('.'))
    .map(({ name, isType }) => ({ from, to: normalize(join(dirname(from), name)), isType }));
}

/** All imports between the files of a folder. */
export function importsWithin(folder: string): Arrow[] {
  const files = new Set(globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }));
  return [...files].flatMap(arrowsOf).filter(({ to }) => files.has(to));
}

/** Groups of two or more things of which each leads to all others of its group (Tarjan, 1972). */
export function cyclesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string) => {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) {
        visit(next);
        lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!));
      } else if (stack.includes(next)) {
        lowest.set(node, Math.min(lowest.get(node)!, order.get(next)!));
      }
    }
    if (lowest.get(node) !== order.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) found.push(group.toSorted());
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found;
}

/** Which folders of these imports lead to which others when the program runs. */
export function folderEdges(arrows: readonly Arrow[]): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { from, to, isType } of arrows) {
    const [a, b] = [dirname(from), dirname(to)];
    if (isType || a === b) continue;
    edges.set(a, (edges.get(a) ?? new Set()).add(b));
  }
  return edges;
}
