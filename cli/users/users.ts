import type { UserItem } from '../../src/contract/calls/imports.ts';
import type { Client } from '../../src/contract/client.ts';
import type { Area, Member, Policies, Right } from '../../src/contract/entities.ts';
import { group } from '../command.ts';
import { type Problem, wrongError } from '../failure.ts';
import type { Column, Item } from '../io/read-items.ts';
import { addUser } from '../machine/add-user.ts';
import { eachEntry } from '../report/pages.ts';
import { columnsHelp, exportCommand, importCommand, listCommand, removeCommand } from '../resource.ts';
import { AREAS, RIGHTS, USER_ORDERS, type UserOrder } from '../words.ts';
import { limitsText, limitUser } from './limit.ts';

/** Columns of a table of users; each area has a column of space-separated rights. */
const COLUMNS: Record<string, Column> = {
  email: 'text',
  name: 'text',
  is_active: 'flag',
  ...Object.fromEntries(AREAS.map((area): [Area, Column] => [area, 'text'])),
};

/** Cell value for no rights: an empty cell would leave them unchanged. */
const NO_RIGHTS = 'none';

/** A user as a document, without secrets or server-specific values. */
const userDocument = ({ email, name, is_active, policies }: Member): UserItem => ({
  email,
  name,
  is_active,
  policies,
});

const rightsWordsOf = (rights: Policies[Area]) => RIGHTS.filter((right) => rights[right]).join(' ') || NO_RIGHTS;

/** A user as a table row. */
const userRow = ({ email, name, is_active, policies }: Member): Record<string, unknown> => ({
  email,
  name,
  is_active,
  ...Object.fromEntries(AREAS.map((area) => [area, rightsWordsOf(policies[area])])),
});

const isRight = (word: string): word is Right => RIGHTS.includes(word as Right);

/** A table row as a user document. */
function fromUserRow({ value, ...place }: Item): Item {
  const { file, line } = place;
  const problems: Problem[] = [];
  const policies: Partial<Policies> = {};
  const fields = Object.fromEntries(Object.entries(value).filter(([name]) => !AREAS.includes(name as Area)));
  for (const area of AREAS) {
    if (value[area] === undefined) continue;
    const words = String(value[area]).split(/\s+/).filter(Boolean);
    const wrong = words.filter((word) => !isRight(word) && !(word === NO_RIGHTS && words.length === 1));
    const reason = `invalid right "${wrong.join(' ')}"; use ${RIGHTS.join(', ')} or ${NO_RIGHTS}`;
    if (wrong.length > 0) problems.push({ file, line, column: area, reason });
    policies[area] = Object.fromEntries(RIGHTS.map((right) => [right, words.includes(right)])) as Policies[Area];
  }
  if (problems.length > 0) throw wrongError(`${file} was not imported.`, 'Correct these cells.', problems);
  return { ...place, value: { ...fields, ...(Object.keys(policies).length > 0 && { policies }) } };
}

/** An item of a file as a user document. */
const asUser = (item: Item): Item => (item.isRow ? fromUserRow(item) : item);

const eachUser = (client: Client, sort?: UserOrder): AsyncGenerator<Member> =>
  eachEntry((page) => client.users.list({ query: { ...page, sort } }));

/** The user with this email or id. @throws CliError if there is none */
async function findUser(client: Client, wanted: string): Promise<Member> {
  const email = wanted.trim().toLowerCase();
  for await (const user of eachUser(client)) if (user.email === email || String(user.id) === wanted) return user;
  throw wrongError(`User "${wanted}" not found.`, 'Run enfilade users list to list e-mail addresses.');
}

const NEEDS_USER = "Requires a signed-in user: enfilade login --email you@example.com. API keys can't do this.";

export const users = group('users', 'users of the back-office', [
  listCommand({
    description: 'list users by name; for an importable file, use export',
    examples: ['users list --sort -seen', 'users list --json --out users.json'],
    columns: ['id', 'name', 'email', 'is_active', 'is_invited', 'access', 'last_seen_at'],
    orders: USER_ORDERS,
    each: (client, { sort }: { sort?: UserOrder }) => eachUser(client, sort),
    row: (user) => ({ ...user, access: limitsText(user) }),
  }),
  exportCommand({
    description: 'export users and their rights as JSON or CSV, without passwords or keys',
    examples: ['users export --out users.json', 'users export --csv --out users.csv', 'users export kim@example.com'],
    argument: ['user', 'e-mail address or ID'],
    columns: COLUMNS,
    each: (client) => eachUser(client),
    find: findUser,
    exported: (user) => ({ document: userDocument(user), row: userRow(user), file: user.email }),
  }),
  importCommand({
    description: 'create and update users by e-mail address, from JSON or CSV, all or none; new users receive a mail',
    examples: ['users import users.csv --dry-run', 'users import users.json', "users import 'teams/*.csv' --prune"],
    notes: `${NEEDS_USER}

${columnsHelp(COLUMNS)}
The columns ${AREAS.join(', ')} contain rights separated by spaces: ${RIGHTS.join(', ')}; or none.

New users get a link to set a password once everything is imported. You can't grant rights that you lack. undo removes
added users and restores those that --prune removed: they set a new password and create new API keys.`,
    columns: COLUMNS,
    read: asUser,
    send: (client) => (request, idempotencyKey) => client.imports.usersFile({ ...request, idempotencyKey }),
  }),
  removeCommand({
    description: 'remove users with their sessions and API keys; the history keeps their changes',
    examples: ['users remove kim@example.com'],
    notes: NEEDS_USER,
    argument: ['users', 'e-mail addresses or IDs'],
    kind: 'users',
    find: findUser,
  }),
  limitUser(findUser),
  addUser,
]);
