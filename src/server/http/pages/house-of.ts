import type { Settings } from '../../../contract/entities.ts';
import type { House } from '../../../contract/visit-data.ts';
import { type PageServices, readVisit } from '../../areas/visit/read-visit.ts';
import { isForAll } from '../../store/visits/public-endpoints.ts';
import { roomFactsOf } from './room-facts.ts';

/**
 * How an organization looks in front of a room that asks for a code or opens later. Nothing is taken from that room or
 * its template, not even blurred: the page and the API give none of it before the visitor may enter. What the front page
 * shows to everybody is public on purpose; of it come the logo and the color. Its picture does not: behind another
 * room's door it would pass for that room. A front page that is closed itself gives nothing either.
 */
export async function houseOf(services: PageServices, organizationId: number, settings: Settings): Promise<House> {
  const { endpoint } = await readVisit(services, organizationId, []);
  const facts = endpoint?.room && isForAll(endpoint) ? roomFactsOf(endpoint.room) : undefined;
  return { logo: facts?.logo ?? null, color: facts?.color ?? settings.font_color };
}
