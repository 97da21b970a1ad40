import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { VisitActions, VisitStore } from '../visit-store.ts';
import { ArrowPad } from './ArrowPad.tsx';
import { DialogLayer } from './DialogLayer.tsx';
import { MediaLayer } from './MediaLayer.tsx';
import { Notice } from './Notice.tsx';
import styles from './overlay.module.css';
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
  return (
    <>
      {!state.flags.hideControls && (
        <div className={styles.controls} data-entered={state.entered} data-idle={idle}>
          <TopBar state={state} actions={actions} />
          <ViewPointMenu viewPoints={state.viewPoints} current={state.viewPoint} actions={actions} />
          <ArrowPad turns={room.config.camera.rotate} actions={actions} />
        </div>
      )}
      <MediaLayer state={state} actions={actions} />
      <DialogLayer dialog={state.dialog} settings={state.settings} actions={actions} />
      {state.slide && (
        <Suspense>
          <SliderDialog slide={state.slide} actions={actions} />
        </Suspense>
      )}
      <Notice text={state.notice} onClose={() => actions.closeNotice()} />
    </>
  );
}
