import type { Database } from '../../base/db/database.ts';

/** A room that a structure shows. */
export interface ShownRoom {
  endpointId: number;
  organizationId: number;
  isProtected: boolean;
  roomId: number;
  /** The same as long as the room, its template and its files stay as they are. */
  version: string;
}

/** The rooms that visitors can reach: openly, or with a code. What stands below a hidden structure is hidden with it. */
export async function shownRooms(db: Database): Promise<ShownRoom[]> {
  const rows = await db
    .selectFrom('endpoints')
    .innerJoin('rooms', 'rooms.id', 'endpoints.room_id')
    .leftJoin('templates', 'templates.id', 'rooms.template_id')
    .leftJoin('endpoints as parents', 'parents.id', 'endpoints.parent_endpoint_id')
    .select(['endpoints.id', 'endpoints.organization_id', 'endpoints.is_protected', 'endpoints.is_visible'])
    .select(['endpoints.room_id', 'rooms.revision', 'templates.updated_at', 'parents.is_visible as parent_is_visible'])
    .execute();
  return rows
    .filter((row) => row.is_protected === 1 || (row.is_visible === 1 && row.parent_is_visible !== 0))
    .map((row) => ({
      endpointId: row.id,
      organizationId: row.organization_id,
      isProtected: row.is_protected === 1,
      roomId: row.room_id!,
      version: `${row.revision} ${row.updated_at}`,
    }));
}
