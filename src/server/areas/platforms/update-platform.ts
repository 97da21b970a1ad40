import { CREDENTIALS, type Credential, PLATFORM_FORMS, type PlatformName } from '../../../contract/entities.ts';
import { ApiError, type Messages } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { findOrganization } from '../../store/organizations/organizations-repository.ts';
import {
  deleteCredential,
  insertCredential,
  listCredentials,
  updateCredential,
} from '../../store/platforms/platform-credentials-repository.ts';
import { sealCredential } from '../../store/platforms/stored-credentials.ts';

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
export async function updatePlatform(context: CallContext, platform: PlatformName, changes: Changes): Promise<void> {
  const { settings, organizationId, clock } = context;
  await context.db.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    const rows = await listCredentials(db, organizationId, platform);
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
        await deleteCredential(db, row!.id);
        continue;
      }
      const updated_at = nextTimestamp(clock, row?.updated_at);
      const sealed = await sealCredential(settings, organizationId, { platform, name, value });
      const columns = { sealed, hint: hintOf(platform, name, value), updated_at };
      const place = { organization_id: organizationId, platform, name };
      if (row) await updateCredential(db, row.id, columns);
      else await insertCredential(db, { ...place, ...columns, created_at: updated_at });
    }
    const organization = await findOrganization(db, organizationId);
    const named = (isRemoved: boolean) =>
      CREDENTIALS.filter((name) => changes[name] !== undefined && (changes[name] === null) === isRemoved);
    const facts = { platform: PLATFORM_FORMS[platform].name, credentials_set: named(false), removed: named(true) };
    const about = { entity_id: organizationId, name: organization.name, facts };
    await recordChange(db, context, { action: 'update', entity: 'organization', ...about });
    await recordEvent(db, context, { event: 'settings_changed', subject: `Platform ${facts.platform}` });
  });
}
