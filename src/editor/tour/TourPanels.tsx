import { observer } from 'mobx-react-lite';
import { lazy, Suspense } from 'react';
import { useEditor } from '../session/editor-context.ts';
import { PickOverlay } from './PickOverlay.tsx';
import { toolsOf } from './tour-tools.ts';

const PANELS = {
  check: lazy(async () => ({ default: (await import('./TourCheck.tsx')).TourCheck })),
  plan: lazy(async () => ({ default: (await import('./TourPlan.tsx')).TourPlan })),
  copy: lazy(async () => ({ default: (await import('./TourDialogs.tsx')).CopyHotspots })),
  nadir: lazy(async () => ({ default: (await import('./TourDialogs.tsx')).NadirDialog })),
};

/** What the tools of the tour view show over the canvas. */
export const TourPanels = observer(() => {
  const tools = toolsOf(useEditor());
  const Panel = tools.panel && PANELS[tools.panel];
  return (
    <>
      <PickOverlay />
      {Panel && (
        <Suspense>
          <Panel />
        </Suspense>
      )}
    </>
  );
});
