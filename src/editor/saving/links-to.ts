import type { ElementFields, RoomCommand, RoomFields } from '../../../engine/document/commands.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import { ROOM_LINKS } from '../../../engine/document/remap.ts';
import type { Room } from '../../../engine/document/room.ts';
import { walk } from '../../../engine/document/tree.ts';

const leadsTo = (navigation: Navigation, id: number) =>
  navigation.type === 'view_point' && navigation.type_config.view_point_id === id;

/** Edits that set every setting which names an element to what it is. */
export function linksTo(room: Room, id: number): RoomCommand[] {
  const commands: RoomCommand[] = [];
  for (const { id: holder, config } of walk(room.elements)) {
    const fields: Record<string, unknown> = {};
    if ('navigation' in config && leadsTo(config.navigation, id)) fields.navigation = config.navigation;
    if ('target' in config && config.target.element_id === id) fields.target = config.target;
    if (Object.keys(fields).length > 0)
      commands.push({ type: 'element.update', id: holder, fields: { config: fields } as ElementFields });
  }
  const links = ROOM_LINKS.filter((name) => {
    const link = room.config[name];
    return link && leadsTo(link.navigation, id);
  });
  if (links.length > 0) {
    const config = Object.fromEntries(links.map((name) => [name, room.config[name]]));
    commands.push({ type: 'room.update', fields: { config } as RoomFields });
  }
  return commands;
}
