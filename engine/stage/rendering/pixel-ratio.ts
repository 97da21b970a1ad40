import type { Room } from '../../document/room.ts';

/** Canvas pixels per CSS pixel: the room's setting, or the device's ratio up to 2. */
export const pixelRatioOf = ({ config }: Pick<Room, 'config'>): number =>
  config.pixelratio ?? Math.min(devicePixelRatio, 2);
