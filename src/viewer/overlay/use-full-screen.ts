import { useEffect, useState } from 'react';
import { isTyping } from '../../../engine/stage/interaction/typing.ts';

/** Whether a key event is a shortcut, a repeat or typing. */
const isTaken = ({ target, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent) =>
  ctrlKey || metaKey || altKey || repeat || isTyping(target);

/**
 * Full screen by button or F.
 * @returns whether it is available, whether it is on, and a toggle
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
  // Ignore a browser's refusal.
  done.catch(() => undefined);
}
