import { createBrowserRouter, RouterProvider, redirectDocument } from 'react-router-dom';
import { ignoreComposition } from '../ui/ignore-composition.ts';
import { EDITOR_SCHEME, mountPage } from '../ui/mount-page.tsx';
import type { SessionStore } from '../ui/session/session-store.ts';
import { guardTyping } from './keys/typing-guard.ts';
import classes from './notifications.module.css';

ignoreComposition();
guardTyping();

/** Placeholder until the first screen's code has loaded. */
function Nothing() {
  return null;
}

/** Routes of the editor. Without a session they redirect to the login, which is another page. */
function createEditorRouter(session: SessionStore) {
  const guard = ({ request }: { request: Request }) => {
    const { pathname, search } = new URL(request.url);
    return session.hasToken ? null : redirectDocument(`/admin/login?redirect=${encodeURIComponent(pathname + search)}`);
  };
  return createBrowserRouter([
    {
      id: 'editor',
      path: '/admin/editor/:id',
      loader: guard,
      HydrateFallback: Nothing,
      lazy: async () => ({ Component: (await import('./screen/EditorScreen.tsx')).EditorScreen }),
    },
    {
      path: '*',
      loader: ({ request }) => guard({ request }) ?? redirectDocument('/admin/spaces'),
      HydrateFallback: Nothing,
      Component: Nothing,
    },
  ]);
}

await mountPage({
  root: 'editor',
  ...EDITOR_SCHEME,
  notifications: { containerWidth: 360, classNames: { root: classes.notifications! } },
  // The renderer loads with the first model thumbnail.
  drawTurntable: async (url) => (await import('../../engine/tools/camera/turntable.ts')).drawTurntable(url),
  render: (session) => <RouterProvider router={createEditorRouter(session)} />,
});
