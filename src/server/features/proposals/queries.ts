import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Proposal } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import { containsWords } from '../../core/db/search.ts';
import type { ProposalTable } from './table.ts';

export type StoredProposal = Selectable<ProposalTable>;

const inOrganization = (db: Database, organizationId: number) =>
  db
    .selectFrom('proposals')
    .innerJoin('rooms', 'rooms.id', 'proposals.room_id')
    .where('proposals.organization_id', '=', organizationId);

/** A proposal in a list: without its base. */
export type ListedProposal = Omit<StoredProposal, 'base' | 'element_ids'> & { room_title: string };

const LISTED = [
  'proposals.id',
  'proposals.organization_id',
  'proposals.room_id',
  'proposals.branch_id',
  'proposals.name',
  'proposals.note',
  'proposals.state',
  'proposals.is_agent',
  'proposals.user_id',
  'proposals.author_name',
  'proposals.closed_at',
  'proposals.closed_by',
  'proposals.created_at',
  'proposals.updated_at',
  'rooms.title as room_title',
] as const;

/** An organization's proposals, the newest first, and the total count. */
export async function listProposals(
  db: Database,
  organizationId: number,
  query: Paging & { search?: string; room_id?: number; branch_id?: number; state?: Proposal['state'] },
): Promise<{ rows: ListedProposal[]; total: number }> {
  const { search, room_id, branch_id, state, per_page } = query;
  let found = inOrganization(db, organizationId);
  if (search) found = found.where(containsWords('proposals.name', search));
  if (room_id !== undefined) found = found.where('proposals.room_id', '=', room_id);
  if (branch_id !== undefined) found = found.where('proposals.branch_id', '=', branch_id);
  if (state !== undefined) found = found.where('proposals.state', '=', state);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .select(LISTED)
    .orderBy('proposals.id', 'desc')
    .limit(per_page)
    .offset(offsetOf(query))
    .execute();
  return { rows, total: Number(total) };
}

/** A proposal with the title of its space. */
export const findProposal = (db: Database, organizationId: number, id: number) =>
  inOrganization(db, organizationId)
    .where('proposals.id', '=', id)
    .selectAll('proposals')
    .select('rooms.title as room_title')
    .executeTakeFirst();

/** A proposal, locked until the transaction ends. */
export const lockProposal = (db: Database, organizationId: number, id: number): Promise<StoredProposal | undefined> =>
  forUpdate(
    db,
    db.selectFrom('proposals').selectAll().where('organization_id', '=', organizationId).where('id', '=', id),
  ).executeTakeFirst();

export async function countOpen(db: Database, roomId: number): Promise<number> {
  const { count } = await db
    .selectFrom('proposals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('room_id', '=', roomId)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertProposal(db: Database, values: Insertable<ProposalTable>): Promise<number> {
  const { id } = await db.insertInto('proposals').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateProposal(db: Database, id: number, values: Updateable<ProposalTable>): Promise<void> {
  await db.updateTable('proposals').set(values).where('id', '=', id).execute();
}
