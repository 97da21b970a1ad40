import { type CSSProperties, useEffect, useSyncExternalStore } from 'react';
import { glassFor } from '../parts/text-color.ts';
import { useLate } from '../parts/use-late.ts';
import { say } from '../texts/say-all.ts';
import type { Slide, VisitActions, VisitStore } from '../visit/visit-store.ts';
import { AccessWarning } from './AccessWarning.tsx';
import { ArrowPad } from './ArrowPad.tsx';
import { Corner } from './Corner.tsx';
import { Cues } from './Cues.tsx';
import { Joystick } from './Joystick.tsx';
import { MediaLayer } from './MediaLayer.tsx';
import { NotificationLine } from './NotificationLine.tsx';
import styles from './overlay.module.css';
import { RoomDialog } from './RoomDialog.tsx';
import { Tools } from './Tools.tsx';
import { TopBar } from './TopBar.tsx';
import { useAddress } from './use-address.ts';
import { useChoices } from './use-choices.ts';
import { useIdle } from './use-idle.ts';
import { useInnerLinks } from './use-inner-links.ts';
import { ViewPointMenu } from './ViewPointMenu.tsx';

const fetchSlider = () => import('../slider/SliderDialog.tsx');

function Slider({ slide, actions }: { slide: Slide; actions: VisitActions }) {
  const part = useLate(fetchSlider, () => {
    actions.slide('close');
    actions.tell(say('notReached'));
  });
  return part && <part.SliderDialog slide={slide} actions={actions} />;
}

/** Only the front page may be indexed, also after navigation within the visit. */
function followRobots(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="robots"]');
  if (meta) meta.content = location.pathname === '/' ? 'index,follow' : 'noindex,nofollow';
}

/** Controls over the room. */
export function Overlay({ store, actions }: { store: VisitStore; actions: VisitActions }) {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const idle = useIdle();
  const path = state.endpoint?.path;
  useChoices(store, actions);
  useAddress(store, actions);
  useInnerLinks(actions);
  useEffect(() => {
    if (path) followRobots();
  }, [path]);
  const notifications = (
    <div className={styles.notifications}>
      <AccessWarning state={state} />
      <NotificationLine notification={state.notification} onClose={() => actions.closeNotification()} />
    </div>
  );
  if (!state.endpoint?.room) return notifications;
  const { room } = state.endpoint;
  const shared = { state, actions };
  const color = room.template?.font_color ?? state.settings.font_color;
  const hasControls = !state.flags.hideControls;
  return (
    <>
      <section
        className={styles.controls}
        aria-label={say('controls')}
        data-entered={state.entered}
        data-idle={idle}
        data-fullpage={state.fullPage !== null}
        data-glass={color && glassFor(color)}
        style={color ? ({ '--text': color } as CSSProperties) : undefined}
      >
        <Corner place="top_left" {...shared}>
          <TopBar {...shared} />
        </Corner>
        <Corner place="top_right" {...shared}>
          {hasControls && <Tools {...shared} />}
        </Corner>
        <div className={styles.bottom}>
          <Corner place="bottom_left" {...shared}>
            {hasControls && (
              <ViewPointMenu key={room.id} viewPoints={state.viewPoints} current={state.viewPoint} actions={actions} />
            )}
          </Corner>
          <Cues state={state} />
          <Corner place="bottom_right" {...shared}>
            {hasControls &&
              (room.config.camera.rotate ? (
                <Joystick key={room.id} actions={actions} />
              ) : (
                <ArrowPad actions={actions} />
              ))}
          </Corner>
        </div>
      </section>
      <MediaLayer state={state} actions={actions} />
      {state.entered && state.dialog && (
        <RoomDialog dialog={state.dialog} settings={state.settings} actions={actions} />
      )}
      {state.slide && <Slider slide={state.slide} actions={actions} />}
      {notifications}
    </>
  );
}
