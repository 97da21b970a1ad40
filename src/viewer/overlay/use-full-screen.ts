import { useEffect, useState } from 'react';
import { isTyping } from '../../../engine/stage/interaction/typing.ts';

/** Whether a key is part of a shortcut, is held, or is typed. */
const isTaken = ({ target, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent) =>
  ctrlKey || metaKey || altKey || repeat || isTyping(target);

/**
 * The page over the whole screen, by a button or the key F.
 * @returns whether the browser allows it, whether it is so, and what begins or ends it
 */
export function useFullScreen(): { isThere: boolean; isOn: boolean; toggle(): void } {
  const [isOn, setOn] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const look = () => setOn(document.fullscreenElement !== null);
    const press = (event: KeyboardEvent) => {
      if (event.code === 'KeyF' && !isTaken(event)) toggle();
    };
    document.addEventListener('fullscreenchange', look);
    addEventListener('keydown', press);
    return () => {
      document.removeEventListener('fullscreenchange', look);
      removeEventListener('keydown', press);
    };
  }, []);
  return { isThere: document.fullscreenEnabled, isOn, toggle };
}

function toggle(): void {
  if (!document.fullscreenEnabled) return;
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  // A browser may refuse it; then nothing changes.
  done.catch(() => undefined);
}
