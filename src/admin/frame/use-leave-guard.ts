import { useEffect, useRef } from 'react';
import { useBlocker, useNavigate } from 'react-router-dom';
import { confirm, type Question } from '../../ui/confirmation/confirmation-store.ts';
import { useSession } from '../../ui/session/session-context.ts';

/** What is asked before a form with unsaved changes is left. */
const UNSAVED: Question = {
  title: 'Leave without saving?',
  text: 'What you changed on this screen is not saved yet.',
  action: 'Leave',
  destroys: true,
};

/**
 * Asks before the screen is left, by a link, by the browser or by logging out.
 * @param isHeld whether there is something to lose
 * @param question what is asked
 * @returns goes to a path without asking, as after saving
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
    // A session that has ended holds nobody back: what was typed is kept for the next one.
    const hold = (event: BeforeUnloadEvent) => session.hasToken && event.preventDefault();
    addEventListener('beforeunload', hold);
    return () => removeEventListener('beforeunload', hold);
  }, [isHeld, session]);
  useEffect(() => (isHeld ? session.beforeLogout(() => confirm(question)) : undefined), [isHeld, question, session]);
  return (path) => {
    // Whoever went elsewhere while it was being saved stays there.
    if (!isShown.current) return;
    isFree.current = true;
    void Promise.resolve(navigate(path)).finally(() => (isFree.current = false));
  };
}
