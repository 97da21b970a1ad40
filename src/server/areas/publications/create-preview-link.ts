import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../base/clock.ts';
import type { CallContext } from '../../store/call-context.ts';
import { listEndpoints, type StoredEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { siteOf } from '../../store/organizations/site-of.ts';
import { findRoom } from '../../store/rooms/rooms-repository.ts';
import { PREVIEW_PARAMETER, sealPreview } from '../../store/visits/preview-links.ts';

type Asked = z.output<typeof calls.publications.createPreviewLink.body>;

/** The structure to preview a space in. @throws ApiError invalid where none shows it */
function structureFor(all: readonly StoredEndpoint[], roomId: number, wanted: number | undefined): StoredEndpoint {
  const showing = all.filter(({ room_id }) => room_id === roomId);
  if (wanted !== undefined) {
    const found = showing.find(({ id }) => id === wanted);
    if (!found) throw new ApiError('invalid', { endpoint_id: ['This structure does not show the space.'] });
    return found;
  }
  const found = showing.find(({ shows }) => shows === 'published') ?? showing[0];
  if (!found) throw new ApiError('invalid', 'No structure shows this space. Add one, then make a preview link.');
  return found;
}

/**
 * Makes the address at which a structure shows a space as it is edited, for a time.
 * @throws ApiError not_found, invalid
 */
export async function createPreviewLink(
  context: CallContext,
  roomId: number,
  { expires_in, endpoint_id }: Asked,
): Promise<{ url: string; expires_at: string }> {
  const { db, organizationId, clock, settings } = context;
  const room = await findRoom(db, organizationId, roomId);
  if (!room) throw new ApiError('not_found');
  const all = await listEndpoints(db, organizationId);
  const endpoint = structureFor(all, room.id, endpoint_id);
  const parent = all.find(({ id }) => id === endpoint.parent_endpoint_id);
  const path = `/${[parent?.slug, endpoint.slug].filter((slug) => slug !== undefined).join('/')}`;
  const endsAt = Math.floor(clock.now() / 1000) + expires_in;
  const token = await sealPreview(settings, organizationId, { endpointId: endpoint.id, roomId: room.id, endsAt });
  const { origin } = await siteOf(context, organizationId);
  const expires_at = timestampOf(endsAt * 1000);
  const about = { entity_id: room.id, room_id: room.id, name: room.title };
  const facts = { preview_link: path, expires_at };
  await recordChange(db, context, { action: 'update', entity: 'room', ...about, facts });
  return { url: `${origin}${path}?${PREVIEW_PARAMETER}=${token}`, expires_at };
}
