import sharp from 'sharp';
import { directionOf } from '../../engine/document/places.ts';
import type { WebApp } from './web-app.ts';

/** Colors of the panoramas, one per place. */
export const PLACE_COLORS = ['#b03030', '#30a030', '#3040b0', '#b0a030', '#a030a0'] as const;

/** A 360° photo in one color. */
export async function plainPanorama(name: string, color: string): Promise<File> {
  const image = sharp({ create: { width: 1024, height: 512, channels: 3, background: color } });
  return new File([new Uint8Array(await image.png().toBuffer())], name, { type: 'image/png' });
}

/** A tour: its space, its public path, and the IDs of its places in order. */
export interface TourRoom {
  roomId: number;
  path: string;
  places: number[];
}

/** Places in a row, 5 m apart along −z. */
const STEP = 1560;

/**
 * Publishes a tour of places in a row, in the colors of `PLACE_COLORS`.
 * @param isLinked whether hotspots lead from each place to the next, and back
 */
export async function publishTour(app: WebApp, count: number, isLinked = true): Promise<TourRoom> {
  const { client } = app;
  const template = await client.templates.create({ body: { name: 'Tour', model_type: 'grid' } });
  const camera = { rotate: true, rotate_left_button: true, zoom: true, far: 100_000 };
  const room = await client.rooms.create({
    body: { title: 'Tour', template_id: template.id, width: 20_000, depth: 20_000, config: { camera } },
  });
  const params = { id: room.id };
  const places: number[] = [];
  for (let nth = 0; nth < count; nth++) {
    const file = await plainPanorama(`${nth}.png`, PLACE_COLORS[nth % PLACE_COLORS.length]!);
    const { id: file_id } = await client.media.upload({ body: {}, files: { file } });
    const config = { name: `Place ${nth + 1}`, order_rank: nth, pulse_radius: 0 };
    const body = { element: 'view_point' as const, file_id, position_z: -STEP * nth, config };
    places.push((await client.rooms.addElement({ params, body })).id);
  }
  for (const [nth, place] of isLinked ? places.entries() : []) {
    for (const [to, heading] of [
      [nth + 1, 0],
      [nth - 1, 180],
    ] as const) {
      const view_point_id = places[to];
      if (view_point_id === undefined) continue;
      const { x, z } = directionOf(heading, 0);
      const navigation = { type: 'view_point', type_config: { view_point_id, arrival: 'keep' } };
      const body = {
        element: 'button' as const,
        name: `To ${to + 1}`,
        visible_at: [place],
        position_x: Math.round(x * 900),
        position_y: -100,
        position_z: Math.round(-STEP * nth + z * 900),
        config: { title: `To ${to + 1}`, appearance: 'hotspot', navigation },
      };
      await client.rooms.addElement({ params, body });
    }
  }
  await client.rooms.update({ params, body: { config: { start_view_point_id: places[0]! } } });
  const { slug } = await client.endpoints.create({ body: { name: `Tour ${room.id}`, room_id: room.id } });
  return { roomId: room.id, path: `/${slug}`, places };
}
