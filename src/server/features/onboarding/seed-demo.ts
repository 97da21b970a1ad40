import { z } from 'zod';
import { remapRoomConfig } from '../../../../engine/document/remap.ts';
import { parseRoom, roomFieldsSchema } from '../../../../engine/document/room.ts';
import { calls } from '../../../contract/calls.ts';
import { nextTimestamp } from '../../core/clock.ts';
import { cleanNow } from '../../core/files/workers/clean-ahead.ts';
import type { Services } from '../../core/services.ts';
import { createEndpoint } from '../endpoints/create-endpoint.ts';
import { keepPosterImages } from '../posters/poster-files.ts';
import { putPoster, storedImages } from '../posters/posters-repository.ts';
import { readElement } from '../rooms/check-element.ts';
import { storeElements } from '../rooms/copy-elements.ts';
import { createRoom } from '../rooms/create-room.ts';
import { columnsOfRoom, roomFromRow } from '../rooms/room-row.ts';
import { lockRoom, updateRoom } from '../rooms/rooms-repository.ts';
import { createTemplate } from '../templates/create-template.ts';
import { DemoFiles, type Json, posterFile, readDocuments } from './demo-files.ts';
import { noteDemo } from './demo-parts.ts';

/** What a demo room's document says besides the room itself. */
const demoSchema = z.looseObject({
  template_name: z.string().optional(),
  endpoint: z.object({ name: z.string(), slug: z.string(), parent: z.string().optional() }),
});
type DemoRoom = z.output<typeof demoSchema>;

const pick = (from: Json, names: object): Json =>
  Object.fromEntries(Object.entries(from).filter(([name]) => Object.hasOwn(names, name)));

/** Adds the room of a document with its elements under ids of their own. */
async function createDemoRoom(services: Services, organizationId: number, document: Json): Promise<number> {
  // What the document leaves out comes from its template, so only what it says is handed on.
  const given = calls.rooms.create.body.parse(pick(document, roomFieldsSchema.shape));
  const roomId = await createRoom({ ...services, organizationId, user: null }, given);
  const { elements } = parseRoom(document);
  await services.db.transaction().execute(async (db) => {
    const list = elements.map((element) => readElement(element, cleanNow));
    const destination = { organizationId, roomId, at: nextTimestamp(services.clock) };
    const ids = await storeElements(db, destination, list);
    const row = await lockRoom(db, organizationId, roomId);
    const { id, version, ...fields } = roomFromRow(row!, new Map());
    await updateRoom(db, roomId, columnsOfRoom({ ...fields, config: remapRoomConfig(fields.config, ids) }));
  });
  return roomId;
}

/** Those that others stand below come first: they must be there first, and the first one is the home page. */
function parentsFirst(rooms: DemoRoom[]): DemoRoom[] {
  const parents = new Set(rooms.map(({ endpoint }) => endpoint.parent));
  return rooms.toSorted((a, b) => Number(parents.has(b.endpoint.slug)) - Number(parents.has(a.endpoint.slug)));
}

/** Fills an organization with the demo rooms: their files, templates, rooms and public addresses. */
export async function seedDemo(services: Services, organizationId: number): Promise<void> {
  const files = new DemoFiles(services, organizationId);
  const templates = new Map<string | undefined, number>();
  for (const [name, document] of await readDocuments('templates')) {
    const input = calls.templates.create.body.parse(await files.template(document));
    templates.set(name, await createTemplate({ ...services, organizationId, user: null }, input));
  }
  const documents = await readDocuments('rooms', 'demo-');
  const rooms = parentsFirst([...documents.values()].map((document) => demoSchema.parse(document)));
  const endpoints = new Map<string | undefined, number>();
  for (const { template_name, endpoint, ...room } of rooms) {
    const resolved = (await files.resolve(room)) as Json;
    const template_id = templates.get(template_name) ?? null;
    const roomId = await createDemoRoom(services, organizationId, { ...resolved, id: 1, template_id });
    const { parent, ...address } = endpoint;
    const parent_endpoint_id = endpoints.get(parent) ?? null;
    const id = await createEndpoint(
      { ...services, organizationId, user: null },
      { ...address, parent_endpoint_id, room_id: roomId },
    );
    endpoints.set(address.slug, id);
    const images = await services.workers.run('drawPosterImages', { source: posterFile(address.slug) });
    const kept = storedImages(await keepPosterImages(services, organizationId, images));
    await putPoster(services.db, { ...services, organizationId }, { subject: 'room_id', id: roomId }, 'drawn', kept);
  }
  await noteDemo(services.db, services.clock, organizationId);
}
