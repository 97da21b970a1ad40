import { TAG_MANAGER_PARTY } from '../../../engine/document/third-parties.ts';
import type { VisitStore } from '../visit/visit-store.ts';
import { track } from './analytics.ts';

/** Address of the container script. */
const SCRIPT = 'https://www.googletagmanager.com/gtm.js';

let isLoaded = false;

/**
 * Loads the organization's tag manager, once the visitor has allowed it where that is asked. It reads `dataLayer`. If that
 * is withdrawn, the page reloads: a script can't be unloaded. It stays if reloading would load it again.
 * Source: https://developers.google.com/tag-platform/tag-manager/web
 * @param id of the container
 * @returns stop function
 */
export function followTagManager(store: VisitStore, id: string): () => void {
  const follow = () => {
    const { consent, settings } = store.get();
    const isAllowed = consent ? consent.isAllowed(TAG_MANAGER_PARTY.host) : settings.third_parties !== 'ask';
    if (isLoaded && !isAllowed && consent?.lasts(TAG_MANAGER_PARTY.host)) location.reload();
    if (isLoaded || !isAllowed) return;
    isLoaded = true;
    // biome-ignore lint/nursery/noJsRestrictedProperties: the container expects the wall clock.
    track('gtm.js', { 'gtm.start': Date.now() });
    const script = document.createElement('script');
    script.async = true;
    script.src = `${SCRIPT}?id=${id}`;
    document.head.append(script);
  };
  follow();
  return store.subscribe(follow);
}
