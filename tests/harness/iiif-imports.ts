import type { ElementOf } from '../../engine/document/element.ts';
import { parseRoom, type Room } from '../../engine/document/room.ts';
import type { Client } from '../../src/contract/client.ts';
import type { IiifSource } from '../../src/contract/entities.ts';
import { hangFiles, storeFiles } from '../../src/contract/iiif-sending.ts';
import { ApiApp } from './api-app.ts';
import { IiifServer } from './stand-ins/iiif-server.ts';

/** The images of a room. */
export const imagesOf = ({ elements }: Room) =>
  elements.filter((element): element is ElementOf<'image'> => element.element === 'image');

/** A server of manifests, and an API that may reach it. */
export async function beginIiif(kind: Parameters<typeof ApiApp.start>[0]) {
  const server = await new IiifServer().start();
  const api = await ApiApp.start(kind, {}, { allowed: [new URL(server.url).host] });
  return { server, api, client: api.client() };
}

/** Imports a manifest. @returns every step */
export async function imported(
  client: Client,
  body: { url: string } | { manifest: string },
  name: string,
  limit?: number,
) {
  const source: IiifSource = await client.iiif.read({ body: { ...body, ...(limit && { limit }) } });
  const stored = new Map<number, number>();
  const remarks = [...source.remarks, ...(await storeFiles(client, source.works, { onWork: () => {}, stored }))];
  const made = await hangFiles(client, source, { name }, stored);
  const room = parseRoom(await client.rooms.read({ params: { id: made.room_id! } }));
  const media = [];
  for (const id of stored.values()) media.push(await client.media.read({ params: { id } }));
  return { source, remarks: [...remarks, ...made.remarks], made, room, media };
}
