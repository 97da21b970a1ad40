import type { Flag, Json, Owned, Stamp } from '../../core/db/column-types.ts';

/** A proposed change of a space. */
export interface ProposalTable extends Owned {
  room_id: number;
  /** Space with the proposed content; null once the proposal is closed. */
  branch_id: number | null;
  name: string;
  note: string;
  state: string;
  /** Whether an agent created it. */
  is_agent: Flag;
  /** The space when the proposal was created, as revision content. */
  base: string;
  /** Pairs of element ids: in the space, and in the space of the proposal. */
  element_ids: Json;
  user_id: number | null;
  /** Name of the author when it was created. */
  author_name: string;
  closed_at: Stamp | null;
  /** Name of the user who merged or discarded it. */
  closed_by: string | null;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    proposals: ProposalTable;
  }
}
