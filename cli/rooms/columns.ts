import type { Room } from '../../engine/document/room.ts';
import type { Column, Item } from '../io/read-items.ts';

/** Columns of a table of rooms. */
export const ROOM_COLUMNS: Record<string, Column> = {
  name: 'text',
  title: 'text',
  description: 'text',
  template: 'text',
  width: 'number',
  height: 'number',
  depth: 'number',
  duration: 'number',
};

/** A room as a table row. */
export const roomRow = (
  room: Pick<Room, 'name' | 'title' | 'description' | 'template' | 'width' | 'height' | 'depth' | 'config'>,
) => ({
  name: room.name,
  title: room.title,
  description: room.description,
  template: room.template?.name,
  width: room.width,
  height: room.height,
  depth: room.depth,
  duration: room.config.duration,
});

/** A table row as a room document. */
export const fromRoomRow = (item: Item): Item => {
  if (!item.isRow) return item;
  const { template, duration, ...fields } = item.value;
  const value = {
    ...fields,
    ...(template !== undefined && { template_name: template }),
    ...(duration !== undefined && { config: { duration } }),
  };
  return { ...item, value };
};
