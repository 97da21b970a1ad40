import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { VisitActions, VisitStore } from '../visit-store.ts';
import { ArrowPad } from './ArrowPad.tsx';
import { Corner } from './Corner.tsx';
import { DialogLayer } from './DialogLayer.tsx';
import { Joystick } from './Joystick.tsx';
import { MediaLayer } from './MediaLayer.tsx';
import { Notice } from './Notice.tsx';
import styles from './overlay.module.css';
import { Tools } from './Tools.tsx';
import { TopBar } from './TopBar.tsx';
import { useIdle } from './use-idle.ts';
import { ViewPointMenu } from './ViewPointMenu.tsx';

const SliderDialog = lazy(async () => {
  const { SliderDialog } = await import('../slider/SliderDialog.tsx');
  return { default: SliderDialog };
});

/** Everything that floats over the room. */
export function Overlay({ store, actions }: { store: VisitStore; actions: VisitActions }) {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const idle = useIdle();
  if (!state.endpoint?.room) return <Notice text={state.notice} onClose={actions.closeNotice} />;
  const { room } = state.endpoint;
  const shared = { state, actions };
  return (
    <>
      {!state.flags.hideControls && (
        <div className={styles.controls} data-entered={state.entered} data-idle={idle}>
          <Corner place="top_left" {...shared}>
            <TopBar {...shared} />
          </Corner>
          <Corner place="top_right" {...shared}>
            <Tools {...shared} />
          </Corner>
          <Corner place="bottom_left" {...shared}>
            <ViewPointMenu key={room.id} viewPoints={state.viewPoints} current={state.viewPoint} actions={actions} />
          </Corner>
          <Corner place="bottom_right" {...shared}>
            {room.config.camera.rotate ? <Joystick key={room.id} actions={actions} /> : <ArrowPad actions={actions} />}
          </Corner>
        </div>
      )}
      <MediaLayer state={state} actions={actions} />
      {state.entered && <DialogLayer dialog={state.dialog} settings={state.settings} actions={actions} />}
      {state.slide && (
        <Suspense>
          <SliderDialog slide={state.slide} actions={actions} />
        </Suspense>
      )}
      <Notice text={state.notice} onClose={() => actions.closeNotice()} />
    </>
  );
}
