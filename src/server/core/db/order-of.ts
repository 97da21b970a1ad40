/** Sort names without the descending variants. */
export type Ascending<Sort extends string> = Sort extends `-${string}` ? never : Sort;

/** Parses a sort parameter: a column, descending with a leading minus. */
export function orderOf<Sort extends string>(sort: Sort): { by: Ascending<Sort>; direction: 'asc' | 'desc' } {
  const isReversed = sort.startsWith('-');
  return { by: (isReversed ? sort.slice(1) : sort) as Ascending<Sort>, direction: isReversed ? 'desc' : 'asc' };
}
