import type { FlatElement } from '../../../engine/document/element.ts';
import type { Link, Navigation } from '../../../engine/document/navigation.ts';
import type { RoomConfig } from '../../../engine/document/room-config.ts';

/** Ids of copies by the ids of what they are copies of. */
export type IdMap = ReadonlyMap<number, number>;

/** Settings of a room that hold links. */
export const ROOM_LINKS = [
  'timed_popup_action_left',
  'timed_popup_action_center',
  'timed_popup_action_right',
  'top_left_link',
  'top_right_link',
  'bottom_left_link',
  'bottom_right_link',
] as const satisfies (keyof RoomConfig)[];

function remapNavigation(navigation: Navigation, ids: IdMap): Navigation {
  if (navigation.type !== 'view_point') return navigation;
  const { view_point_id } = navigation.type_config;
  const copy = view_point_id === null ? undefined : ids.get(view_point_id);
  return copy === undefined ? navigation : { type: navigation.type, type_config: { view_point_id: copy } };
}

/** An element whose references to other elements point to their copies. References to anything else stay. */
export function remapElement<T extends FlatElement>(element: T, ids: IdMap): T {
  const config: Record<string, unknown> = { ...element.config };
  if ('navigation' in element.config) config.navigation = remapNavigation(element.config.navigation, ids);
  if (element.element === 'light') {
    const { target } = element.config;
    config.target = { ...target, element_id: ids.get(target.element_id ?? 0) ?? target.element_id };
  }
  return { ...element, config };
}

/** Settings of a room whose references to elements point to their copies. */
export function remapRoomConfig(config: RoomConfig, ids: IdMap): RoomConfig {
  const links = ROOM_LINKS.map((name): [string, Link | null] => {
    const link = config[name];
    return [name, link && { ...link, navigation: remapNavigation(link.navigation, ids) }];
  });
  return { ...config, ...Object.fromEntries(links) };
}
