import { existsSync, globSync, readFileSync } from 'node:fs';
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

/** What a file imports, dynamic imports included, by the names that it gives. */
function namesIn(from: string): { name: string; isType: boolean }[] {
  const text = readFileSync(join(ROOT, from), 'utf8');
  const { module, errors } = parseSync(from, text);
  if (errors.length > 0) throw new Error(`${from}: ${errors[0]!.message}`);
  return [
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
}

/** What a file imports of the project. */
function arrowsOf(from: string): Arrow[] {
  return namesIn(from)
    .filter(({ name }) => name.startsWith('.'))
    .map(({ name, isType }) => ({ from, to: normalize(join(dirname(from), name)), isType }));
}

/** All imports between the files of a folder. */
export function importsWithin(folder: string): Arrow[] {
  const files = new Set(globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }));
  return [...files].flatMap(arrowsOf).filter(({ to }) => files.has(to));
}

/** Packages that a file imports at run time. */
export const packagesOf = (from: string): string[] =>
  namesIn(from).flatMap(({ name, isType }) => (isType || name.startsWith('.') ? [] : [name]));

/** Imports of packages by the files of a folder, types included. */
export const packagesWithin = (folder: string): { from: string; name: string }[] =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }).flatMap((from) =>
    namesIn(from).flatMap(({ name }) => (name.startsWith('.') ? [] : [{ from, name }])),
  );

/** Files that these lead to when they run, themselves included. */
export function filesFrom(starts: readonly string[]): Set<string> {
  const found = new Set(starts);
  for (const file of found)
    for (const { to, isType } of arrowsOf(file))
      if (!isType && /\.tsx?$/.test(to) && existsSync(join(ROOT, to))) found.add(to);
  return found;
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

export const folderOf = (path: string): string => dirname(path);

/** The imports as a graph: of files, or of what `nodeOf` makes of them. */
export function edgesBetween(
  arrows: readonly Arrow[],
  nodeOf: (path: string) => string = (path) => path,
): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of arrows) {
    const [a, b] = [nodeOf(from), nodeOf(to)];
    if (a !== b) edges.set(a, (edges.get(a) ?? new Set()).add(b));
  }
  return edges;
}
