import { type Settings, settingsSchema } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { prepared } from '../../core/db/prepared.ts';
import type { Services } from '../../core/services.ts';
import { findFiles } from '../media/files-repository.ts';
import { moduleNames } from './modules.ts';

const organizationById = prepared((db, id: number) => db.selectFrom('organizations').selectAll().where('id', '=', id));

/** What anybody may know about an organization. */
export async function publicSettings(
  { db, outgoing }: Pick<Services, 'db' | 'outgoing'>,
  organizationId: number,
): Promise<Settings> {
  const [row] = await organizationById(db, organizationId);
  if (!row) throw new ApiError('not_found');
  const files = await findFiles(db, organizationId, [row.font_file_id]);
  const domains: { domain: string }[] = JSON.parse(row.embed_domains);
  return settingsSchema.parse({
    name: row.name,
    meta_title: row.meta_title,
    meta_description: row.meta_description,
    font_color: row.font_color,
    font_url: files.get(row.font_file_id ?? 0)?.url ?? '',
    embed_domains: domains.map(({ domain }) => domain),
    modules: moduleNames(await outgoing.of(organizationId)),
    texts: JSON.parse(row.texts),
    has_statistics: row.has_statistics === 1,
    has_statistics_poses: row.has_statistics === 1 && row.has_statistics_poses === 1,
    realtime_api_key: row.realtime_api_key,
  });
}
