import { leaveFullScreen } from '../media-commands.ts';
import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';

/** Whether the timed pop-up's moment has not come, has come, or has come and the visitor closed it. */
export type PopupState = 'pending' | 'due' | 'dismissed';

/** Room time in seconds at which the timed pop-up opens; undefined where none is shown. */
function offsetOf({ room }: SceneWorld): number | undefined {
  const { config } = room;
  return config?.duration != null && config.show_timed_popup ? config.timed_popup_offset : undefined;
}

/**
 * Opens the timed pop-up, once in the life of a scene whatever is sought afterwards, and leaves full screen for it.
 * It stands behind `timed`, because it opens when the timed state has been reported, and before `media`, which is told
 * to leave the whole page in the same tick.
 */
export function popup(world: SceneWorld, { input }: TickInput): void {
  const { popup: told } = world;
  if (!told.opened) {
    const offset = offsetOf(world);
    if (offset !== undefined && world.time >= offset) {
      told.opened = true;
      leaveFullScreen(world);
      world.outbox.push({ type: 'popup.opened' });
    }
  }
  if (!input || !told.opened || told.dismissed) return;
  for (const each of input) {
    if (each.type !== 'popup.dismiss') continue;
    told.dismissed = true;
    world.outbox.push({ type: 'popup.dismissed' });
    return;
  }
}

/** The timed pop-up at the last tick's time; undefined where the room shows none. */
export function readPopup(world: SceneWorld): PopupState | undefined {
  const offset = offsetOf(world);
  if (offset === undefined) return undefined;
  if (world.popup.dismissed) return 'dismissed';
  return world.time >= offset ? 'due' : 'pending';
}
