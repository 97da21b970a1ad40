import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type Accent, accentOf } from '../../contract/accent-color.ts';
import type { Settings } from '../../contract/entities.ts';
import { useClient } from '../../ui/client-context.ts';
import type { PreviewedStructure, StructurePreviewSource } from '../../ui/structure-preview.ts';
import { applyAccent } from '../parts/accent.ts';
import { takeOwnTexts } from '../texts/say.ts';
import { PreviewEntrance } from './PreviewEntrance.tsx';
import classes from './preview.module.css';
import { askAtDoor, countDown } from './preview-door.ts';

/** Milliseconds between updates of the countdown. */
const SECOND = 1000;

const now = () => (performance.timeOrigin + performance.now()) / 1000;

/** The accent color of a step: before admission, visitors get nothing of the structure, and before the opening nothing of its space. */
function accentAt(settings: Settings, { step, accent_color, room }: PreviewedStructure): Accent {
  if (step === 'token') return accentOf(settings);
  return accentOf(settings, { accent_color, room: step === 'entrance' ? room : null });
}

/** A structure before its room is entered: token form, countdown or entrance. It draws no room and takes no input. */
export function StructureDoor({ source }: { source: StructurePreviewSource }) {
  const client = useClient();
  const [settings, setSettings] = useState<Settings | null>(null);
  const shown = useSyncExternalStore(
    (listener) => source.subscribe(listener),
    () => source.get(),
  );
  const { name, step, opensAt, poster, room } = shown;
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    client.visit.settings().then(
      (found) => {
        takeOwnTexts(found.texts);
        setSettings(found);
      },
      // The preview stays empty: the form shows that the server can't be reached.
      () => undefined,
    );
  }, [client]);
  useEffect(() => {
    if (settings) applyAccent(accentAt(settings, shown).color);
  }, [settings, shown]);
  useEffect(() => {
    if (!settings || !room || step !== 'token') return;
    return askAtDoor(
      view.current!,
      { room, settings },
      async () => 'code_required',
      () => undefined,
    );
  }, [settings, room, step]);
  useEffect(() => {
    if (!settings || !room || step !== 'countdown' || opensAt === null) return;
    const panel = countDown(view.current!, { room, settings }, { name, startsAt: opensAt });
    const show = () => panel.show(Math.max(0, opensAt - now()));
    show();
    const timer = setInterval(show, SECOND);
    return () => {
      clearInterval(timer);
      panel.close();
    };
  }, [settings, room, step, opensAt, name]);
  return (
    <main className={classes.framed}>
      <div ref={view} className={classes.view}>
        {settings && room && step === 'entrance' && (
          <>
            {poster && <img className={classes.poster} src={poster} alt="" />}
            <PreviewEntrance title={room.title} isReady />
          </>
        )}
      </div>
    </main>
  );
}
