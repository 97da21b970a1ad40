import { say } from '../../ui/language/say.ts';

/** Selector of the canvas that shows the room. */
export const ROOM_CANVAS = `[role="application"][aria-label="${say('Room')}"]`;
