/** The names of orders without those that a minus reverses. */
export type Ascending<Sort extends string> = Sort extends `-${string}` ? never : Sort;

/** An order of a list as calls name it: what it goes by, and which way; a minus in front reverses it. */
export function orderOf<Sort extends string>(sort: Sort): { by: Ascending<Sort>; direction: 'asc' | 'desc' } {
  const isReversed = sort.startsWith('-');
  return { by: (isReversed ? sort.slice(1) : sort) as Ascending<Sort>, direction: isReversed ? 'desc' : 'asc' };
}
