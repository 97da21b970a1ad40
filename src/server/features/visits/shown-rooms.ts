import type { Services } from '../../core/services.ts';
import { publishedVersion } from '../publications/published-rooms.ts';
import { type ShownState, shownStates } from '../publications/shown-state.ts';

/** A room that a structure shows. */
export interface ShownRoom extends ShownState {
  endpointId: number;
  organizationId: number;
  isProtected: boolean;
  /** The same as long as the room, its template and its files stay as they are. */
  version: string;
}

/**
 * The rooms that visitors can reach: openly, or with a code. What stands below a hidden structure is hidden with it. Of a
 * protected structure that shows its room as published, the room as it is edited counts as well: its files are no less
 * protected for not being published yet, or any longer.
 */
export async function shownRooms({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<ShownRoom[]> {
  const rows = await db
    .selectFrom('endpoints')
    .innerJoin('rooms', 'rooms.id', 'endpoints.room_id')
    .leftJoin('templates', 'templates.id', 'rooms.template_id')
    .leftJoin('endpoints as parents', 'parents.id', 'endpoints.parent_endpoint_id')
    .select([
      'endpoints.id',
      'endpoints.organization_id',
      'endpoints.is_protected',
      'endpoints.is_visible',
      'endpoints.shows',
    ])
    .select(['endpoints.room_id', 'rooms.revision', 'templates.updated_at', 'parents.is_visible as parent_is_visible'])
    .execute();
  const reachable = rows.filter(
    (row) => row.is_protected === 1 || (row.is_visible === 1 && row.parent_is_visible !== 0),
  );
  const stateOf = await shownStates({ db, clock }, reachable);
  const shown = await Promise.all(
    reachable.map(async (row): Promise<ShownRoom[]> => {
      const { id: endpointId, organization_id: organizationId } = row;
      const isProtected = row.is_protected === 1;
      const about = { endpointId, organizationId, isProtected };
      const edited = { ...about, roomId: row.room_id!, revisionId: null, version: `${row.revision} ${row.updated_at}` };
      const state = stateOf(row);
      if (state?.revisionId === null) return [edited];
      const drafts = isProtected ? [edited] : [];
      if (!state || state.revisionId === null) return drafts;
      const version = await publishedVersion(db, organizationId, state.roomId, state.revisionId);
      return [...drafts, { ...about, ...state, version: version ?? '' }];
    }),
  );
  return shown.flat();
}
