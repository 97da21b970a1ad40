import type { Object3D, PerspectiveCamera } from 'three';
import type { Room } from '../../document/room.ts';
import type { StageContext } from '../context.ts';
import { drawPano } from './pano.ts';

/** What a room itself looks like, before its elements. */
export interface Surroundings {
  readonly object: Object3D;
  /** Follows the camera, for what is endlessly far away. */
  follow?(camera: PerspectiveCamera): void;
  /** Moves on what moves by itself; tells whether something changed. */
  animate?(dt: number): boolean;
  dispose(): void;
}

/** Draws the room itself. Rejects when its file cannot be loaded. */
export type SurroundingsDrawing = (context: StageContext, room: Room) => Promise<Surroundings>;

/**
 * Draws the room by its template's model type. A panorama belongs to the first load; the others come when needed.
 */
export async function drawSurroundings(context: StageContext, room: Room): Promise<Surroundings> {
  const type = room.template?.file ? room.template.model_type : 'grid';
  switch (type) {
    case 'pano':
      return drawPano(context, room);
    case 'model':
      return (await import('./model.ts')).drawModel(context, room);
    case 'grid':
      return (await import('./grid.ts')).drawGrid(context, room);
  }
}
