import { isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml';

/** Returns the line of a value in a document, from 1; of its nearest ancestor if it isn't there. */
export type LineOf = (path: readonly (string | number)[]) => number;

/** The keys of a path such as `elements[2].config.navigation`. */
export const keysOf = (path: string): (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) => (index === undefined ? name! : Number(index)));

/** Locates values in a JSON or YAML text, which must be valid. */
export function linesIn(text: string): LineOf {
  const counter = new LineCounter();
  // JSON is YAML. Long documents have many strings, which need no further checks.
  const { contents } = parseDocument(text, { lineCounter: counter, uniqueKeys: false });
  return (path) => {
    let node: unknown = contents;
    let offset = 0;
    for (const key of [null, ...path]) {
      const pair =
        isMap(node) && key !== null ? node.items.find((item) => String(item.key) === String(key)) : undefined;
      if (key !== null) node = pair ? pair.value : isSeq(node) && typeof key === 'number' ? node.items[key] : undefined;
      // The key's line: a value that is a map can begin further down.
      const at = pair && isNode(pair.key) ? pair.key : node;
      if (!isNode(at)) break;
      offset = at.range?.[0] ?? offset;
    }
    return counter.linePos(offset).line;
  };
}

/** The path of an element in a nested document, by id; the document itself if it has no such element. */
export function elementPath(document: unknown, id: number): (string | number)[] {
  const find = (list: unknown, path: (string | number)[]): (string | number)[] | undefined => {
    if (!Array.isArray(list)) return undefined;
    for (const [index, element] of list.entries()) {
      const at = [...path, index];
      if (element?.id === id) return at;
      const below = find(element?.children, [...at, 'children']);
      if (below) return below;
    }
    return undefined;
  };
  return find((document as { elements?: unknown } | null)?.elements, ['elements']) ?? [];
}
