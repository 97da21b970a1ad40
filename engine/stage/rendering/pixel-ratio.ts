import type { Room } from '../../document/room.ts';

/** Canvas pixels per CSS pixel: the room's setting, or the device's ratio. @param most limit of the device's */
export const pixelRatioOf = ({ config }: Pick<Room, 'config'>, most = 2): number =>
  config.pixelratio ?? Math.min(devicePixelRatio, most);
