import { readFile } from 'node:fs/promises';
import type { RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright';
import type { Policies } from '../../src/contract/entities.ts';
import { timestampOf } from '../../src/server/core/clock.ts';
import { hashPassword } from '../../src/server/core/secrets/password.ts';
import { allPolicies } from '../../src/server/features/organizations/service.ts';
import { beginSession } from '../../src/server/features/users/sessions.ts';
import { BLUNT, newVisitor, type Visitor } from './browser.ts';
import { follow, leaveWindow, leftWindow, NOTHING_THERE } from './left-windows.ts';
import { quiet } from './quiet-page.ts';
import type { WebApp } from './web-app.ts';

export { follow } from './left-windows.ts';

/** Where the back-office keeps its session token. */
const TOKEN_KEY = 'enfilade.editor-token';
const SCHEME_KEY = 'mantine-color-scheme-value';

/** Rights in some areas, none in the others. */
export function onlyPolicies(policies: Partial<Policies>): Policies {
  const none = { view_any: false, create: false, update: false, delete: false };
  const areas = Object.keys(allPolicies()).map((area) => [area, none]);
  return { ...(Object.fromEntries(areas) as Policies), ...policies };
}

let users = 0;
/** Of every user's password; it is made once, for it takes its time. */
let passwordHash: Promise<string> | undefined;

/** Adds a user with these rights and signs them in; gives their session token. */
export async function signInAs({ services }: WebApp, policies: Policies): Promise<string> {
  const { db, clock } = services;
  const at = timestampOf(clock.now());
  const { id: organization_id } = await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow();
  passwordHash ??= hashPassword('correct horse battery');
  const email = `member-${++users}@example.com`;
  const { id } = await db
    .insertInto('users')
    .values({
      organization_id,
      email,
      name: `Member ${users}`,
      password_hash: await passwordHash,
      policies: JSON.stringify(policies),
      is_active: 1,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return beginSession(db, clock, id);
}

/** Editors hold much of the rooms that they show: their windows are left emptied. */
const EDITORS = '/admin/editor';

/** How a back-office is opened. */
interface AdminOptions {
  policies?: Policies;
  scheme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
  /** Pixels of the screen for one of the page: one where a test looks at them. */
  deviceScaleFactor?: number;
  /** What the browser keeps besides, by key. */
  kept?: Record<string, string>;
}

/** A browser window in which a user of the back-office is signed in, whom no other open window has. */
export async function openAdmin(
  app: WebApp,
  browser: Browser,
  path: string,
  {
    policies = allPolicies(),
    scheme = 'light',
    viewport = { width: 1280, height: 800 },
    deviceScaleFactor = BLUNT,
    kept = {},
  }: AdminOptions = {},
): Promise<Visitor> {
  const kind = JSON.stringify({ policies, scheme, viewport, deviceScaleFactor, kept });
  const known = path.startsWith(EDITORS) ? undefined : leftWindow(app, browser, kind);
  if (known) {
    const { visitor } = known;
    await follow(visitor.page, path);
    await visitor.page.locator('h1').filter({ hasNotText: NOTHING_THERE }).waitFor();
    return { ...visitor, close: () => leaveWindow(app, known) };
  }
  const token = await signInAs(app, policies);
  const entries = { ...kept, [TOKEN_KEY]: token, [SCHEME_KEY]: scheme };
  const visitor = await newVisitor(browser, {
    viewport,
    deviceScaleFactor,
    reducedMotion: 'reduce',
    kept: { origin: app.origin, entries },
  });
  const { page } = visitor;
  await page.goto(app.origin + path);
  await page.locator('h1').waitFor();
  if (path.startsWith(EDITORS)) return visitor;
  return { ...visitor, close: () => leaveWindow(app, { visitor, kind, kept: entries, viewport }) };
}

/** Waits until a screen shows what it has loaded. */
export async function settled(page: Page): Promise<void> {
  await quiet(page);
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
}

let axe: Promise<string> | undefined;

/** Rules that ask for colors: what a page in other colors has to be asked alone. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong with the colors of a page, as sentences. */
export const colorFaults = (page: Page): Promise<string[]> => accessibilityFaults(page, OF_COLORS);

/**
 * What axe finds wrong with a page, as sentences.
 * @param rules which of its rules it asks; those that it asks unless told otherwise
 * @param without rules that it leaves out
 */
export async function accessibilityFaults(
  page: Page,
  rules?: readonly string[],
  without: readonly string[] = [],
): Promise<string[]> {
  axe ??= readFile('node_modules/axe-core/axe.min.js', 'utf8');
  // The page's own policy forbids scripts in it; the debugger's do not count as such.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(await axe);
  // What is still fading in has other colors than it will have.
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(ending.map(({ finished }) => finished)).then(() => undefined);
  });
  const options = {
    resultTypes: ['violations'],
    ...(rules && { runOnly: [...rules] }),
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  } satisfies RunOptions;
  // Only what is wrong comes over: all that is right is as long as the page.
  const violations = await page.evaluate(async (each) => {
    const { axe: rules } = globalThis as typeof globalThis & { axe: typeof import('axe-core') };
    return (await rules.run(each)).violations;
  }, options);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} (${target.join(' ')}) ${failureSummary}`),
  );
}
