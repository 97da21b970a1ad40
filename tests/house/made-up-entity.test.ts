import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT, StartedServer } from '../harness/started-server.ts';

/*
 * Adds a made-up entity, labels, to a copy of the sources, and uses it: over HTTP, from the command line, and in the
 * type checker. `made-up-entity/` mirrors the repository and holds the files that the entity adds.
 */

const ENTITY = join(import.meta.dirname, 'made-up-entity');
const MAX_FILES = 15;
const MAX_LINES = 2;
const MAX_WEBHOOK_FILES = 20;

/** A list that names every entity, and its lines for labels: each with the line that it follows. */
interface Patch {
  file: string;
  list: string;
  lines: readonly (readonly [after: string, line: string])[];
}

const LISTS: readonly Patch[] = [
  {
    file: 'src/contract/entities.ts',
    list: 'entities of the API',
    lines: [["export * from './entities/import-table.ts';", "export * from './entities/label.ts';"]],
  },
  {
    file: 'src/contract/calls.ts',
    list: 'calls of the API',
    lines: [
      ["import { imports } from './calls/imports.ts';", "import { labels } from './calls/labels.ts';"],
      ['  webhooks,', '  labels,'],
    ],
  },
  {
    file: 'src/contract/entities/change.ts',
    list: 'entities with change records, and their areas',
    lines: [
      ["  'webhook',", "  'label',"],
      ["  webhook: 'settings',", "  label: 'settings',"],
    ],
  },
  {
    file: 'src/server/core/db/migrate.ts',
    list: 'migrations',
    lines: [
      [
        "import { structureKeys } from './migrations/0043-structure-keys.ts';",
        "import { labels } from './migrations/9999-labels.ts';",
      ],
      ["  '0043-structure-keys': structureKeys,", "  '9999-labels': labels,"],
    ],
  },
  {
    file: 'src/server/app/handlers.ts',
    list: 'handlers',
    lines: [
      [
        "import { imports, tokenImports } from '../features/imports/routes.ts';",
        "import { labels } from '../features/labels/routes.ts';",
      ],
      ['  webhooks,', '  labels,'],
    ],
  },
  {
    file: 'src/admin/router.tsx',
    list: 'screens',
    lines: [
      [
        "  screen('webhooks', () => import('./webhooks/WebhooksScreen.tsx'), 'WebhooksScreen'),",
        "  screen('labels', () => import('./labels/LabelsScreen.tsx'), 'LabelsScreen'),",
      ],
    ],
  },
  {
    file: 'src/admin/shell/menu.ts',
    list: 'menu',
    lines: [
      [
        "      { label: 'Webhooks', path: '/admin/webhooks', area: 'settings' },",
        "      { label: 'Labels', path: '/admin/labels', area: 'settings' },",
      ],
    ],
  },
  {
    file: 'src/admin/settings/history/change-words.ts',
    list: 'names in the history',
    lines: [["  webhook: 'Webhook',", "  label: 'Label',"]],
  },
  {
    file: 'cli/commands.ts',
    list: 'commands',
    lines: [
      ["import { undo } from './imports/undo.ts';", "import { labels } from './labels/labels.ts';"],
      ['  webhooks,', '  labels,'],
    ],
  },
  {
    file: 'tests/house/import-rules.ts',
    list: 'features',
    lines: [["  'webhooks',", "  'labels',"]],
  },
  {
    file: 'src/server/features/users/limits.ts',
    list: 'rows that limited users may see',
    lines: [['  templates: null,', '  labels: null,']],
  },
  {
    file: 'tests/harness/test-database.ts',
    list: 'tables',
    lines: [['  webhooks: true,', '  labels: true,']],
  },
  {
    file: 'tests/harness/rows-of-organization.ts',
    list: 'tables of an organization',
    lines: [["  webhooks: 'own',", "  labels: 'own',"]],
  },
  {
    file: 'tests/harness/call-requests.ts',
    list: 'a valid request to each call',
    lines: [
      ["import { makeFilm } from './film.ts';", "import { labelRequests } from './labels.ts';"],
      ["  'webhooks.list': () => ({}),", '  ...labelRequests,'],
    ],
  },
  {
    file: 'tests/harness/furnish-organization.ts',
    list: 'one of each entity',
    lines: [
      ["import { makeFilm } from './film.ts';", "import { furnishLabel } from './labels.ts';"],
      ['    webhook: webhook.id,', "    label: await furnishLabel(client, marked('Urgent')),"],
    ],
  },
  {
    file: 'tests/server/features/history/changing-requests.ts',
    list: 'the change record of each call',
    lines: [
      [
        "import { formOf, PASSWORD, type Sent, type TestUser } from '../../../harness/api-app.ts';",
        "import { changingLabels } from '../../../harness/labels.ts';",
      ],
      ['  ...changingWebhooks,', '  ...changingLabels,'],
    ],
  },
  {
    file: 'tests/server/features/history/change-log.test.ts',
    list: 'one of each entity with change records',
    lines: [
      [
        "import { newEmailOf } from '../../../harness/factors.ts';",
        "import { furnishLabel } from '../../../harness/labels.ts';",
      ],
      ['      webhook,', '      label: await furnishLabel(client),'],
    ],
  },
  {
    file: 'tests/server/core/http/sequences.test.ts',
    list: 'entities that are gone',
    lines: [
      ["  'webhooks.update': { body: { name: 'Late' } },", "  'labels.update': { body: { name: 'Late' } },"],
      ['      webhooks: [webhook],', '      labels: [999_999],'],
    ],
  },
  {
    file: 'tests/server/core/db/query-plans.test.ts',
    list: 'lists',
    lines: [
      [
        "  problems: { call: calls.statistics.problems, queries: [''] },",
        "  labels: { call: calls.labels.list, queries: ['', 'search=hall'] },",
      ],
    ],
  },
  {
    file: 'tests/walks/back-office-screens.test.ts',
    list: 'screens',
    lines: [["  ['/admin/webhooks', 'Webhooks', 'settings'],", "  ['/admin/labels', 'Labels', 'settings'],"]],
  },
  {
    file: 'tests/cli/safety.test.ts',
    list: 'commands that change nothing',
    lines: [["  ...['feeds list', 'feeds items list'],", "  ...['labels list', 'labels export'],"]],
  },
  {
    file: 'tests/cli/safety.test.ts',
    list: 'commands that ask first',
    lines: [
      ["  'webhooks remove': ['Build'],", "  'labels import': ['labels.csv'],"],
      ["  'webhooks remove': ['Build'],", "  'labels remove': ['Urgent'],"],
    ],
  },
  {
    file: 'tests/cli/safety.test.ts',
    list: 'what the commands name',
    lines: [
      [
        "    await client.imports.users({ body: { items: [{ email: 'kim@example.com', name: 'Kim' }] } });",
        "    await client.labels.create({ body: { name: 'Urgent', color: '#ff0000' } });",
      ],
      ["      line.file('codes.csv', 'other\\n'),", "      line.file('labels.csv', 'name,color\\nLater,#ff0000\\n'),"],
    ],
  },
];

const added = globSync('**/*.{ts,tsx}', { cwd: ENTITY });

/** @throws if the line to insert after is missing or not unique */
function insert(text: string, after: string, line: string): string {
  const parts = text.split(`\n${after}\n`);
  if (parts.length !== 2) throw new Error(`"${after}" is there ${parts.length - 1} times.`);
  return parts.join(`\n${after}\n${line}\n`);
}

/** Copies the sources and adds the entity. @returns the folder of the copy */
async function copyWithEntity(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'enfilade-entity-'));
  const isCopied = (path: string) => !path.startsWith(ENTITY);
  for (const name of ['engine', 'src', 'cli', 'tests', 'fixtures', ...globSync('*.{ts,json}', { cwd: ROOT })])
    await cp(join(ROOT, name), join(copy, name), { recursive: true, filter: isCopied });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await cp(ENTITY, copy, { recursive: true });
  for (const { file, lines } of LISTS) {
    const path = join(copy, file);
    writeFileSync(
      path,
      lines.reduce((text, [after, line]) => insert(text, after, line), readFileSync(path, 'utf8')),
    );
  }
  return copy;
}

test(`a new entity takes at most ${MAX_FILES} files`, () => {
  expect(added.length).toBeGreaterThan(10);
  expect(added.length).toBeLessThanOrEqual(MAX_FILES);
});

test.each(LISTS)(`$file ($list) changes by at most ${MAX_LINES} lines`, ({ lines }) => {
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
  for (const [, line] of lines) expect(line).not.toContain('\n');
});

test(`webhooks take at most ${MAX_WEBHOOK_FILES} files`, () => {
  const files = globSync('{cli,engine,fixtures,src,tests}/**/*webhook*{,/**}', { cwd: ROOT, withFileTypes: true });
  const all = files.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  // The webhook of machine translation belongs to translations.
  const paths = new Set(all.filter((path) => !path.includes('translation')));
  expect(paths.size).toBeGreaterThan(10);
  expect(paths.size).toBeLessThanOrEqual(MAX_WEBHOOK_FILES);
});

test('CONTRIBUTING.md names every file and list', async () => {
  const section = (await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))
    .split('**A new entity**')[1]!
    .split('\n**')[0]!;
  const general = added.map((file) =>
    file
      .replace(/9999-labels/, '<number>-<entities>')
      .replace(/LabelsScreen/, '<Entities>Screen')
      .replaceAll('labels', '<entities>')
      .replaceAll('label', '<entity>'),
  );
  const named = [...general, ...new Set(LISTS.map(({ file }) => file))];
  expect(named.filter((path) => !path.split('/').every((part) => section.includes(part)))).toEqual([]);
  expect(section.trim().split('\n').length).toBeLessThanOrEqual(15);
});

describe('labels', () => {
  const [ADMIN, OTHER] = ['admin@example.com', 'other@example.com'];
  const run = promisify(execFile);
  let copy: string;
  let server: StartedServer;
  let origin: string;
  const tokens = new Map<string, string>();

  const enfilade = async (...args: string[]): Promise<string> => {
    const { stdout } = await run(process.execPath, [join(copy, 'cli/enfilade.js'), ...args], {
      cwd: copy,
      env: {
        PATH: process.env.PATH,
        ENFILADE_URL: origin,
        ENFILADE_KEY: tokens.get(ADMIN),
        XDG_CONFIG_HOME: copy,
      },
    });
    return stdout;
  };

  // biome-ignore lint/suspicious/noExplicitAny: the contract of this repository has no labels.
  type Answer = { status: number; body: any };
  const call = async (method: string, path: string, body?: object, user: string | null = ADMIN): Promise<Answer> => {
    const response = await fetch(`${origin}/api/v1/backend/${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(user !== null && tokens.has(user) && { authorization: `Bearer ${tokens.get(user)}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const given = response.headers.get('authorization')?.replace('Bearer ', '');
    if (given && user !== null) tokens.set(user, given);
    return { status: response.status, body: await response.json() };
  };
  const add = async (name: string, color = '#ff0000', note = '') =>
    (await call('POST', 'labels', { name, color, note })).body.data;
  const names = async (query = '') => (await call('GET', `labels${query}`)).body.data.map((row: Named) => row.name);
  interface Named {
    name: string;
  }

  beforeAll(async () => {
    copy = await copyWithEntity();
    const data = join(copy, 'data');
    const organizations = [];
    for (const email of [ADMIN, OTHER])
      organizations.push(
        JSON.parse(await enfilade('org', 'create', '--name', 'Museum', '--email', email, '--data', data, '--json')),
      );
    server = new StartedServer({ DATA_DIR: data }, { root: copy });
    origin = await server.address();
    for (const { email, password } of organizations) await call('POST', 'users/login', { email, password }, email);
  });
  afterAll(async () => {
    await server?.stop();
    if (copy) await rm(copy, { recursive: true, force: true });
  });

  test('are hidden without a session', async () => {
    expect((await call('GET', 'labels', undefined, null)).status).toBe(401);
    expect((await call('POST', 'labels', { name: 'Urgent', color: '#ff0000' }, null)).status).toBe(401);
  });

  test('are validated, and listed by search, order and page', async () => {
    expect(await call('POST', 'labels', { name: 'Urgent', color: 'red' })).toMatchObject({
      status: 422,
      body: { code: 'invalid', msg: { color: [expect.stringContaining('HEX color')] } },
    });
    for (const name of ['Later', 'Urgent', 'Very urgent']) await add(name);
    expect(await names()).toEqual(['Later', 'Urgent', 'Very urgent']);
    expect(await names('?search=urgent')).toEqual(['Urgent', 'Very urgent']);
    expect(await names('?sort=-edited')).toEqual(['Very urgent', 'Urgent', 'Later']);
    expect(await call('GET', 'labels?sort=-name&page=2&per_page=2')).toMatchObject({
      body: { data: [{ name: 'Later' }], meta: { total: 3, page: 2, last_page: 2 } },
    });
  });

  test('are refused when someone else has changed them, and leave change records', async () => {
    const { id, updated_at } = await add('Draft');
    const changed = await call('PUT', `labels/${id}`, { note: 'Today', updated_at });
    expect(changed).toMatchObject({ status: 200, body: { data: { name: 'Draft', note: 'Today' } } });
    const stale = await call('PUT', `labels/${id}`, { note: 'Tomorrow', updated_at });
    expect(stale).toMatchObject({ status: 409, body: { code: 'stale' } });
    expect((await call('DELETE', `labels/${id}`)).status).toBe(200);
    expect((await call('GET', `labels/${id}`)).status).toBe(404);
    const { body } = await call('GET', `history?entity=label&entity_id=${id}`);
    expect(body.data).toMatchObject([
      { action: 'delete', name: 'Draft', before: { note: 'Today' }, after: null },
      { action: 'update', before: { note: '' }, after: { note: 'Today' } },
      { action: 'create', before: null, after: { name: 'Draft', color: '#ff0000', note: '' } },
    ]);
  });

  test('are invisible to another organization', async () => {
    const { id } = await add('Secret');
    expect((await call('GET', 'labels', undefined, OTHER)).body.data).toEqual([]);
    for (const [method, body] of [['GET'], ['PUT', { name: 'Mine' }], ['DELETE']] as const)
      expect((await call(method, `labels/${id}`, body, OTHER)).status).toBe(404);
    expect((await call('DELETE', `labels/${id}`)).status).toBe(200);
  });

  test('are listed, exported, imported and removed from the command line', async () => {
    const file = join(copy, 'labels.csv');
    await enfilade('labels', 'export', '--csv', '--out', file);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"Later"', '"Some day"'));
    expect(await enfilade('labels', 'import', file, '--dry-run')).toContain('would create Some day\n');
    expect(await names()).not.toContain('Some day');
    expect(await enfilade('labels', 'import', file, '--yes')).toContain('update Urgent\n');
    expect(JSON.parse(await enfilade('labels', 'list', '--json', '--sort', '-name'))).toMatchObject(
      ['Very urgent', 'Urgent', 'Some day', 'Later'].map((name) => ({ name, color: '#ff0000' })),
    );
    expect(await enfilade('labels', 'remove', 'Later', 'Urgent', '--yes')).toMatch(
      /^removed \d+ Later\nremoved \d+ Urgent\n$/,
    );
    expect(await names()).toEqual(['Some day', 'Very urgent']);
  });

  test('pass the type checker, with their screen and all lists', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const checked = run(process.execPath, [tsc, '--noEmit'], { cwd: copy }).catch((error) => error.stdout);
    expect(await checked).toMatchObject({ stdout: '' });
  }, 300_000);
});
