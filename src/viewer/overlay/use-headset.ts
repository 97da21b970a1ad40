import { useEffect, useState } from 'react';
import { say } from '../texts/say-all.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';

/**
 * Whether the browser supports a headset. Asked in a frame that is removed: a page that has asked itself can't be resumed when
 * the visitor returns to it.
 */
async function isThere(): Promise<boolean> {
  if (!navigator.xr) return false;
  const frame = Object.assign(document.createElement('iframe'), { hidden: true });
  document.body.append(frame);
  try {
    return (await frame.contentWindow?.navigator.xr?.isSessionSupported('immersive-vr')) ?? false;
  } catch {
    return false;
  } finally {
    frame.remove();
  }
}

/** Whether a headset is available; updates as devices change. */
function useIsThere(): boolean {
  const [found, setFound] = useState(false);
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      const answer = await isThere();
      if (!isOver) setFound(answer);
    };
    void look();
    // A headset may have been connected meanwhile.
    addEventListener('focus', look);
    return () => {
      isOver = true;
      removeEventListener('focus', look);
    };
  }, []);
  return found;
}

/**
 * The room in a headset. Page-only content, such as dialogs, ends the session.
 * @returns whether a headset is available, whether it is active, and a toggle
 */
export function useHeadset(
  { dialog, slide, fullPage, refusal }: VisitState,
  actions: VisitActions,
): { isThere: boolean; isOn: boolean; toggle(): Promise<void> } {
  const found = useIsThere();
  const [session, setSession] = useState<XRSession | null>(null);
  // A code or a wait is asked for on the page.
  const isCovered = [dialog, slide, fullPage, refusal].some((part) => part !== null);
  useEffect(() => {
    if (isCovered) void session?.end().catch(() => undefined);
  }, [session, isCovered]);
  const toggle = async () => {
    if (session) {
      await session.end().catch(() => undefined);
      return;
    }
    const { stage } = actions;
    if (!stage || !navigator.xr) return;
    let begun: XRSession | undefined;
    try {
      begun = await navigator.xr.requestSession('immersive-vr', { optionalFeatures: ['hand-tracking'] });
      setSession(begun);
      actions.tell(say('inVr'), true);
      await stage.showIn(begun);
      actions.closeNotification();
    } catch {
      actions.tell(say('noVr'));
    } finally {
      setSession(null);
      // End a session that can't show anything.
      await begun?.end().catch(() => undefined);
    }
  };
  return { isThere: found, isOn: session !== null, toggle };
}
