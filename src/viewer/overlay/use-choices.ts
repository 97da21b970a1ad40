import { useEffect } from 'react';
import { walk } from '../../../engine/document/tree.ts';
import type { VisitActions, VisitStore } from '../visit/visit-store.ts';
import { languagesOf } from './subtitle-languages.ts';

/** Has each room of a visit sound and subtitles as the visitor chose them. */
export function useChoices(store: VisitStore, actions: VisitActions): void {
  const { subtitles, volume = 100, endpoint } = store.get();
  const language = subtitles?.language;
  useEffect(() => {
    const show = (wanted?: number) => {
      if (language === undefined) return;
      for (const element of walk(store.get().endpoint?.room?.elements ?? []))
        if ((wanted === undefined || wanted === element.id) && languagesOf(element).length > 0)
          actions.stage?.viewOf(element.id)?.subtitles?.(language);
    };
    show();
    return actions.events.subscribe((event) => {
      if (event.type === 'ready') show();
      // A film's view may have come only now.
      if (event.type === 'scene' && event.event.type === 'media.play') show(event.event.element_id);
    });
  }, [language, store, actions]);
  useEffect(() => {
    const tell = () => actions.stage?.send({ type: 'volume_all', volume });
    // A room begins as loud as it is.
    if (endpoint) tell();
    return actions.events.subscribe(({ type }) => type === 'first_frame' && tell());
  }, [volume, endpoint, actions]);
}
