import type { Settings } from '../../../contract/entities.ts';
import { type House, VISIT_DATA_ID, type VisitData } from '../../../contract/visit-data.ts';
import type { Visited } from '../../areas/visit/read-visit.ts';
import type { Clock } from '../../base/clock.ts';
import { scriptJson } from '../../base/html/escape.ts';
import { timestamps } from '../../store/rooms/read-room.ts';

/** What a page carries for its scripts, as an element of the page. A room's bytes go in as they are kept. */
export function visitScript(
  settings: Settings,
  { endpoint, needsCode, problem }: Visited,
  preview: string | null,
  house: House | null,
  clock: Clock,
): Buffer[] {
  const data = scriptJson({ settings, needsCode, problem, preview, house } satisfies Omit<VisitData, 'endpoint'>);
  const opening = `<script type="application/json" id="${VISIT_DATA_ID}">${data.slice(0, -1)},"endpoint":`;
  if (!endpoint) return [Buffer.from(`${opening}null}</script>`)];
  const fields = scriptJson({ ...endpoint.fields, current_time: clock.now() / 1000 }).slice(0, -1);
  if (!endpoint.room) return [Buffer.from(`${opening}${fields},"room":null}}</script>`)];
  const room = scriptJson({ ...timestamps(clock), tag: endpoint.room.tag }).slice(0, -1);
  return [Buffer.from(`${opening}${fields},"room":${room},`), endpoint.room.bytes, Buffer.from('}}</script>')];
}
