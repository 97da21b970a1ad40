import { useEffect } from 'react';
import type { VisitActions, VisitStore } from '../visit/visit-store.ts';
import { languagesOf } from './subtitle-languages.ts';

/** Applies the visitor's sound and subtitle choices to each room. */
export function useChoices(store: VisitStore, actions: VisitActions): void {
  const { subtitles, volume = 100, endpoint } = store.get();
  const language = subtitles?.language;
  useEffect(() => {
    const show = (wanted?: number) => {
      if (language === undefined) return;
      for (const element of store.get().endpoint?.room?.elements ?? [])
        if ((wanted === undefined || wanted === element.id) && languagesOf(element).length > 0)
          actions.stage?.viewOf(element.id)?.subtitles?.(language);
    };
    show();
    return actions.events.subscribe((event) => {
      if (event.type === 'ready') show();
      // A video's view may have just been created.
      if (event.type === 'scene' && event.event.type === 'media.play') show(event.event.element_id);
    });
  }, [language, store, actions]);
  useEffect(() => {
    const apply = () => actions.stage?.send({ type: 'volume_all', volume });
    // Rooms start at their own volume.
    if (endpoint) apply();
    return actions.events.subscribe(({ type }) => type === 'first_frame' && apply());
  }, [volume, endpoint, actions]);
}
