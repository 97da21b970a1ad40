import type { Room } from '../../document/room.ts';

/** Drawn pixels per CSS pixel: as the room says, otherwise the device's, two at most. */
export const pixelRatioOf = ({ config }: Pick<Room, 'config'>): number =>
  config.pixelratio ?? Math.min(devicePixelRatio, 2);
