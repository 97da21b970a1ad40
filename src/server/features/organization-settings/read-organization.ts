import { type Embedding, type Organization, ownTextsSchema, type Policies } from '../../../contract/entities.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { findFiles } from '../media/files-repository.ts';
import { moduleNames } from '../organizations/modules.ts';
import { findOrganization } from '../organizations/organizations-repository.ts';
import { listAllUsers } from '../users/users-repository.ts';

/** Users that are named, of those who may change a setting. */
const MAX_MANAGERS = 10;

/** Who may embed rooms, and who may change that. */
export async function readEmbedding({ db, organizationId }: CallContext): Promise<Embedding> {
  const row = await findOrganization(db, organizationId);
  const domains: { domain: string }[] = JSON.parse(row.embed_domains);
  const users = await listAllUsers(db, organizationId);
  const managers = users.filter(
    ({ is_active, policies }) => is_active === 1 && (JSON.parse(policies) as Policies).settings.update,
  );
  return {
    sites: domains.map(({ domain }) => domain),
    managers: managers.slice(0, MAX_MANAGERS).map(({ name }) => name),
  };
}

/** The caller's organization as its settings show it. */
export async function readOrganization({ db, organizationId, outgoing }: CallContext): Promise<Organization> {
  const row = await findOrganization(db, organizationId);
  const files = await findFiles(db, organizationId, [row.font_file_id]);
  const domains: { domain: string }[] = JSON.parse(row.embed_domains);
  return {
    name: row.name,
    meta_title: row.meta_title,
    meta_description: row.meta_description,
    template_id: row.template_id,
    font_file_id: row.font_file_id,
    font_file: files.get(row.font_file_id ?? 0) ?? null,
    font_color: row.font_color,
    embed_domains: domains.map(({ domain }, index) => ({ id: index + 1, domain })),
    modules: moduleNames(await outgoing.of(organizationId)),
    texts: ownTextsSchema.parse(JSON.parse(row.texts)),
    time_zone: row.time_zone,
    audit_days: row.audit_days,
    shares_days: row.shares_days,
    has_statistics: row.has_statistics === 1,
    has_statistics_poses: row.has_statistics_poses === 1,
    updated_at: row.updated_at,
  };
}
