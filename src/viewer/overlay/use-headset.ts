import { useEffect, useState } from 'react';
import { say } from '../texts/say-all.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';

const isThere = async (): Promise<boolean> =>
  (await navigator.xr?.isSessionSupported('immersive-vr').catch(() => false)) ?? false;

/** Whether there is a headset, as long as one may come and go. */
function useIsThere(): boolean {
  const [found, setFound] = useState(false);
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      const answer = await isThere();
      if (!isOver) setFound(answer);
    };
    void look();
    navigator.xr?.addEventListener('devicechange', look);
    return () => {
      isOver = true;
      navigator.xr?.removeEventListener('devicechange', look);
    };
  }, []);
  return found;
}

/**
 * The room in a headset. What only the page can show, such as a dialog, brings the visitor back to the page.
 * @returns whether there is a headset, whether it shows the room, and what begins or ends that
 */
export function useHeadset(
  { dialog, slide, fullPage }: VisitState,
  actions: VisitActions,
): { isThere: boolean; isOn: boolean; toggle(): Promise<void> } {
  const found = useIsThere();
  const [session, setSession] = useState<XRSession | null>(null);
  const isCovered = dialog !== null || slide !== null || fullPage !== null;
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
      // A headset draws with what belongs to one room, and only a visitor's own press may begin another session.
      if (actions.stage !== stage) actions.tell(say('vrLeft'), true);
      else actions.closeNotification();
    } catch {
      actions.tell(say('noVr'));
    } finally {
      setSession(null);
      // Of a session in which nothing can be shown, nobody is to be left.
      await begun?.end().catch(() => undefined);
    }
  };
  return { isThere: found, isOn: session !== null, toggle };
}
