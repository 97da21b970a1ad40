import { useEffect, useRef } from 'react';
import { useBlocker, useNavigate } from 'react-router-dom';
import { confirm, type Question } from '../../ui/confirmation/confirmation-store.ts';
import { useSession } from '../../ui/session/session-context.ts';

/** Confirmation before leaving a form with unsaved changes. */
const UNSAVED: Question = {
  title: 'Leave without saving?',
  text: 'Your changes on this screen are not saved.',
  action: 'Leave',
  destroys: true,
};

/**
 * Asks before the user leaves the screen by link, browser navigation or logout.
 * @param isHeld whether there are unsaved changes
 * @param question the confirmation
 * @returns navigates without asking, as after saving
 */
export function useLeaveGuard(isHeld: boolean, question = UNSAVED): (path: string) => void {
  const navigate = useNavigate();
  const session = useSession();
  const isFree = useRef(false);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isHeld && !isFree.current && session.hasToken && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirm(question).then((yes) => (yes ? blocker.proceed() : blocker.reset()));
  }, [blocker, question]);
  useEffect(() => {
    if (!isHeld) return;
    // Don't block when the session has ended: the draft is kept for the next sign-in.
    const hold = (event: BeforeUnloadEvent) => session.hasToken && event.preventDefault();
    addEventListener('beforeunload', hold);
    return () => removeEventListener('beforeunload', hold);
  }, [isHeld, session]);
  useEffect(() => (isHeld ? session.beforeLogout(() => confirm(question)) : undefined), [isHeld, question, session]);
  return (path) => {
    // Don't navigate if the user left while saving.
    if (!isShown.current) return;
    isFree.current = true;
    void Promise.resolve(navigate(path)).finally(() => (isFree.current = false));
  };
}
