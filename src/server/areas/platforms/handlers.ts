import {
  CREDENTIALS,
  type Credential,
  credentialsOf,
  PLATFORM_FORMS,
  PLATFORMS,
  type Platform,
  type PlatformName,
} from '../../../contract/entities.ts';
import { ApiError, type Messages } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import { credentialsOfSettings } from '../../providers/platforms.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import {
  openCredential,
  readStored,
  type StoredCredentials,
  sealCredential,
  sourceOf,
} from '../../store/platforms/stored-credentials.ts';
import type { Handlers } from '../handler.ts';
import { checkPlatform } from './check-platform.ts';

/** Shortest secret of which the last characters are shown. */
const LONG_ENOUGH = 12;
/** Characters of a secret that are shown. */
const SHOWN = 4;

type Changes = Partial<Record<Credential, string | null>>;

/** What of a credential may be shown: all of what is no secret, the last characters of what is. */
function hintOf(platform: PlatformName, name: Credential, value: string): string {
  if (PLATFORM_FORMS[platform].fields[name]?.isOpen) return value;
  return value.length < LONG_ENOUGH ? '' : value.slice(-SHOWN);
}

async function problemOf(
  { settings, organizationId }: CallContext,
  { rows }: StoredCredentials,
  platform: PlatformName,
): Promise<string> {
  for (const row of rows.filter((one) => one.platform === platform))
    if ((await openCredential(settings, organizationId, row)) === null)
      return 'These credentials were sealed with another key than this server has. Enter them again.';
  if (platform === 'instagram' && settings.PUBLIC_URL === undefined)
    return 'Instagram sends people back to the public address of the server, which is not set. Ask whoever runs the server to set PUBLIC_URL.';
  return '';
}

async function shown(context: CallContext, stored: StoredCredentials, platform: PlatformName): Promise<Platform> {
  const { settings } = context;
  const source = sourceOf(stored, platform, settings);
  const ofServer = credentialsOfSettings(settings)[platform];
  const rows = new Map(stored.rows.filter((row) => row.platform === platform).map((row) => [row.name, row]));
  const stamps = [...rows.values()].map(({ updated_at }) => updated_at).toSorted();
  return {
    platform,
    source,
    problem: source === null ? '' : await problemOf(context, stored, platform),
    fields: credentialsOf(platform).map((name) => ({
      name,
      is_set: rows.has(name) || (source === 'server' && Boolean(ofServer[name])),
      hint: rows.get(name)?.hint ?? '',
    })),
    updated_at: stamps.at(-1) ?? null,
  };
}

/** Refuses credentials of another platform, and those that are of no use without others. */
function refuseIncomplete(platform: PlatformName, changes: Changes, set: ReadonlySet<Credential>): void {
  const { name, fields, together, needs } = PLATFORM_FORMS[platform];
  const labelOf = (credential: Credential) => fields[credential]!.label;
  const problems: Messages = {};
  for (const credential of Object.keys(changes) as Credential[])
    if (!fields[credential]) problems[credential] = [`${name} has no such credential. Leave it out.`];
  for (const group of together) {
    const missing = group.filter((credential) => !set.has(credential));
    if (missing.length === group.length) continue;
    for (const credential of missing)
      problems[credential] = [`Enter it as well: ${group.map(labelOf).join(', ')} belong together.`];
  }
  for (const [credential, others] of Object.entries(needs) as [Credential, Credential[]][])
    if (set.has(credential) && !others.some((other) => set.has(other)))
      problems[credential] = [`It is of no use without ${others.map(labelOf).join(' or ')}.`];
  if (Object.keys(problems).length > 0) throw new ApiError('invalid', problems);
}

/** Stores what is given, and leaves what is left out. */
async function store(context: CallContext, platform: PlatformName, changes: Changes): Promise<void> {
  const { settings, organizationId, clock } = context;
  await context.db.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    const rows = await db
      .selectFrom('platform_credentials')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('platform', '=', platform)
      .execute();
    const set = new Set(rows.map(({ name }) => name as Credential));
    for (const name of CREDENTIALS) {
      if (changes[name] === null) set.delete(name);
      else if (changes[name] !== undefined) set.add(name);
    }
    refuseIncomplete(platform, changes, set);
    for (const name of CREDENTIALS) {
      const value = changes[name];
      const row = rows.find((one) => one.name === name);
      if (value === undefined || (value === null && !row)) continue;
      if (value === null) {
        await db.deleteFrom('platform_credentials').where('id', '=', row!.id).execute();
        continue;
      }
      const updated_at = nextTimestamp(clock, row?.updated_at);
      const sealed = await sealCredential(settings, organizationId, { platform, name, value });
      const columns = { sealed, hint: hintOf(platform, name, value), updated_at };
      if (row) await db.updateTable('platform_credentials').set(columns).where('id', '=', row.id).execute();
      else
        await db
          .insertInto('platform_credentials')
          .values({ organization_id: organizationId, platform, name, ...columns, created_at: updated_at })
          .execute();
    }
    const organization = await db
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow();
    const named = (isRemoved: boolean) =>
      CREDENTIALS.filter((name) => changes[name] !== undefined && (changes[name] === null) === isRemoved);
    const facts = { platform: PLATFORM_FORMS[platform].name, credentials_set: named(false), removed: named(true) };
    const about = { entity_id: organizationId, name: organization.name, facts };
    await recordChange(db, context, { action: 'update', entity: 'organization', ...about });
    await recordEvent(db, context, { event: 'settings_changed', subject: `Platform ${facts.platform}` });
  });
}

export const platforms: Handlers<'platforms'> = {
  list: async (context) => {
    const stored = await readStored(context.db, context.organizationId);
    return Promise.all(PLATFORMS.map((platform) => shown(context, stored, platform)));
  },

  update: async (context, { params: { platform }, body }) => {
    if (Object.values(body).some((value) => value !== undefined)) await store(context, platform, body);
    return shown(context, await readStored(context.db, context.organizationId), platform);
  },

  check: async (context, { params: { platform } }) => {
    const stored = await readStored(context.db, context.organizationId);
    if (sourceOf(stored, platform, context.settings) === null) throw new ApiError('not_set_up');
    const problem = await problemOf(context, stored, platform);
    if (problem !== '') return { works: false, text: problem };
    return checkPlatform(await context.outgoing.of(context.organizationId), platform);
  },
};
