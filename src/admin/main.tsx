import { RouterProvider } from 'react-router-dom';
import { ignoreComposition } from '../ui/ignore-composition.ts';
import { mountPage } from '../ui/mount-page.tsx';
import { createAdminRouter } from './router.tsx';

ignoreComposition();

await mountPage({
  root: 'admin',
  scheme: 'light',
  // The renderer loads with the first model thumbnail.
  drawTurntable: async (url) => (await import('../../engine/tools/camera/turntable.ts')).drawTurntable(url),
  render: (session) => <RouterProvider router={createAdminRouter(session)} />,
});
