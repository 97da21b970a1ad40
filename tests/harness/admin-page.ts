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

/** Storage key of the back office's session token. */
const TOKEN_KEY = 'enfilade.editor-token';
const SCHEME_KEY = 'mantine-color-scheme-value';

/** Rights in some areas, and none in the others. */
export function onlyPolicies(policies: Partial<Policies>): Policies {
  const none = { view_any: false, create: false, update: false, delete: false };
  const areas = Object.keys(allPolicies()).map((area) => [area, none]);
  return { ...(Object.fromEntries(areas) as Policies), ...policies };
}

let users = 0;
/** Hash of every user's password, computed once because it is slow. */
let passwordHash: Promise<string> | undefined;

/** Adds a user with these rights and signs them in. @returns their session token */
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

/** Editors keep much of their rooms in memory, so their windows are emptied after use. */
const EDITORS = '/admin/editor';

/** Options of a back office window. */
interface AdminOptions {
  policies?: Policies;
  scheme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
  /** Device pixels per CSS pixel: 1 for tests that inspect pixels. */
  deviceScaleFactor?: number;
  /** Further entries of the browser's storage, by key. */
  kept?: Record<string, string>;
}

/** A browser window with a signed-in user whom no other open window has. */
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

/** Waits until a screen has loaded its data. */
export async function settled(page: Page): Promise<void> {
  await quiet(page);
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
}

let axe: Promise<string> | undefined;

/** Rules about colors, the only ones to check again for a page in another color scheme. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

/** Color violations that axe finds on a page, as text. */
export const colorFaults = (page: Page): Promise<string[]> => accessibilityFaults(page, OF_COLORS);

/**
 * Accessibility violations that axe finds on a page, as text.
 * @param rules axe rules to check; axe's defaults if omitted
 * @param without axe rules to skip
 */
export async function accessibilityFaults(
  page: Page,
  rules?: readonly string[],
  without: readonly string[] = [],
): Promise<string[]> {
  axe ??= readFile('node_modules/axe-core/axe.min.js', 'utf8');
  // The page's CSP forbids further scripts, but does not apply to the debugger's.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(await axe);
  // Elements that are fading in don't have their final colors yet.
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(ending.map(({ finished }) => finished)).then(() => undefined);
  });
  const options = {
    resultTypes: ['violations'],
    ...(rules && { runOnly: [...rules] }),
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  } satisfies RunOptions;
  // Returns only violations: passed checks are as long as the page.
  const violations = await page.evaluate(async (each) => {
    const { axe: rules } = globalThis as typeof globalThis & { axe: typeof import('axe-core') };
    return (await rules.run(each)).violations;
  }, options);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} (${target.join(' ')}) ${failureSummary}`),
  );
}
