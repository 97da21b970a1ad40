import type { UserItem } from '../../src/contract/calls/imports.ts';
import type { Area, Member, Policies, Right } from '../../src/contract/entities.ts';
import { type Problem, wrongError } from '../failure.ts';
import type { Column, Item } from '../io/read-items.ts';
import { AREAS, RIGHTS } from '../words.ts';

/** Columns of a table of users: the rights of each area are words between spaces. */
export const USER_COLUMNS: Record<string, Column> = {
  email: 'text',
  name: 'text',
  is_active: 'flag',
  ...Object.fromEntries(AREAS.map((area): [Area, Column] => [area, 'text'])),
};

/** What stands in a cell of an area in which nothing is allowed: an empty one would leave it as it is. */
const NO_RIGHTS = 'none';

/** What of a user imports read: nothing secret, and nothing that only holds on one server. */
export const userDocument = ({ email, name, is_active, policies }: Member): UserItem => ({
  email,
  name,
  is_active,
  policies,
});

const rightsWordsOf = (rights: Policies[Area]) => RIGHTS.filter((right) => rights[right]).join(' ') || NO_RIGHTS;

/** A user as a row of a table. */
export const userRow = ({ email, name, is_active, policies }: Member): Record<string, unknown> => ({
  email,
  name,
  is_active,
  ...Object.fromEntries(AREAS.map((area) => [area, rightsWordsOf(policies[area])])),
});

const isRight = (word: string): word is Right => RIGHTS.includes(word as Right);

/** A row of a table as the document of a user. */
function fromUserRow({ value, ...place }: Item): Item {
  const { file, line } = place;
  const problems: Problem[] = [];
  const policies: Partial<Policies> = {};
  const fields = Object.fromEntries(Object.entries(value).filter(([name]) => !AREAS.includes(name as Area)));
  for (const area of AREAS) {
    if (value[area] === undefined) continue;
    const words = String(value[area]).split(/\s+/).filter(Boolean);
    const wrong = words.filter((word) => !isRight(word) && !(word === NO_RIGHTS && words.length === 1));
    const reason = `"${wrong.join(' ')}" is no right; use ${RIGHTS.join(', ')} or ${NO_RIGHTS}`;
    if (wrong.length > 0) problems.push({ file, line, column: area, reason });
    policies[area] = Object.fromEntries(RIGHTS.map((right) => [right, words.includes(right)])) as Policies[Area];
  }
  if (problems.length > 0) throw wrongError(`${file} was not imported.`, 'Correct these cells.', problems);
  return { ...place, value: { ...fields, ...(Object.keys(policies).length > 0 && { policies }) } };
}

/** A thing of a file as the document of a user. */
export const asUser = (item: Item): Item => (item.isRow ? fromUserRow(item) : item);
