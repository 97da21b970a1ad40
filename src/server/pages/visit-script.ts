import type { Settings } from '../../contract/entities.ts';
import { VISIT_DATA_ID, type VisitData } from '../../contract/visit-data.ts';
import type { Clock } from '../clock.ts';
import { scriptJson } from '../html/script-json.ts';
import { timestamps } from '../rooms/read-room.ts';
import type { Visited } from './visit-of.ts';

/** An object with one more field, all as JSON. */
const withField = (object: string, name: string, value: string) => `${object.slice(0, -1)},"${name}":${value}}`;

/** What a page carries for its scripts, as an element of the page. A room's bytes go in as they are kept. */
export function visitScript(
  settings: Settings,
  { endpoint, needsCode, problem }: Visited,
  preview: string | null,
  clock: Clock,
): string {
  const data = scriptJson({ settings, needsCode, problem, preview } satisfies Omit<VisitData, 'endpoint'>);
  let visited = 'null';
  if (endpoint) {
    const fields = scriptJson({ ...endpoint.fields, current_time: clock.now() / 1000 });
    const room = endpoint.room ? `${scriptJson(timestamps(clock)).slice(0, -1)},${endpoint.room.bytes}` : 'null';
    visited = withField(fields, 'room', room);
  }
  return `<script type="application/json" id="${VISIT_DATA_ID}">${withField(data, 'endpoint', visited)}</script>`;
}
