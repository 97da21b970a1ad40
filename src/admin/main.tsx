import { RouterProvider } from 'react-router-dom';
import { mountPage } from '../ui/mount-page.tsx';
import { createAdminRouter } from './router.tsx';

await mountPage({
  root: 'admin',
  scheme: 'light',
  // The renderer loads with the first model thumbnail.
  drawTurntable: async (url) => (await import('../../engine/tools/camera/turntable.ts')).drawTurntable(url),
  render: (session) => <RouterProvider router={createAdminRouter(session)} />,
});
