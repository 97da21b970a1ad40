/**
 * Parses a comma-separated list of names. Names may contain commas if they are quoted or if the model has a node with
 * that name; the longest match wins.
 * @param known names in the model
 */
export function selectedNames(selector: string, known: ReadonlySet<string>): string[] {
  const parts = (selector.match(/\s*"(?:[^"]|"")*"\s*(?=,|$)|[^,]+|,/g) ?? []).filter((part) => part !== ',');
  const names: string[] = [];
  for (let from = 0; from < parts.length; ) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*$/.exec(parts[from]!);
    if (quoted) {
      names.push(quoted[1]!.replaceAll('""', '"'));
      from++;
      continue;
    }
    let to = parts.length;
    while (to > from + 1 && !known.has(parts.slice(from, to).join(',').trim())) to--;
    names.push(parts.slice(from, to).join(',').trim());
    from = to;
  }
  return names;
}
