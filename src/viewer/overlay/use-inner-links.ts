import { useEffect } from 'react';
import type { Navigation } from '../../../engine/document/navigation.ts';
import type { VisitActions } from '../visit/visit-store.ts';

/** Same-origin paths that are not rooms. */
const NO_ROOM = /^\/(?:admin|api|assets|embed|media)(?:\/|$)/;

/** Public path of the room a click leads to; null for other links and clicks. */
function roomOf(event: MouseEvent): string | null {
  const { target, defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !(target instanceof Element))
    return null;
  const link = target.closest<HTMLAnchorElement>('.stage-panel a[href], dialog a[href]');
  if (!link || link.origin !== location.origin || link.hasAttribute('download')) return null;
  if ((link.target && link.target !== '_self') || link.search || link.hash) return null;
  return /^(?:\/[\w-]+){0,2}\/?$/.test(link.pathname) && !NO_ROOM.test(link.pathname) ? link.pathname : null;
}

/** Makes links in administrators' HTML navigate within the visit, without a page load. */
export function useInnerLinks(actions: VisitActions): void {
  useEffect(() => {
    const press = (event: MouseEvent) => {
      const path = roomOf(event);
      if (path === null) return;
      event.preventDefault();
      if (event.target instanceof Element && event.target.closest('dialog')) actions.closeDialog();
      actions.follow({ type: 'space', type_config: { endpoint_url: path } } as Navigation);
    };
    document.addEventListener('click', press);
    return () => document.removeEventListener('click', press);
  }, [actions]);
}
