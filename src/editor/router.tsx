import { createBrowserRouter, redirectDocument } from 'react-router-dom';
import type { SessionStore } from '../ui/session/session-store.ts';

/** What is shown while the first screen's code is on its way. */
function Nothing() {
  return null;
}

/** The editor's screens. They ask for a session first, and the login is another page. */
export function createEditorRouter(session: SessionStore) {
  const guard = ({ request }: { request: Request }) => {
    const { pathname, search } = new URL(request.url);
    return session.hasToken ? null : redirectDocument(`/admin/login?redirect=${encodeURIComponent(pathname + search)}`);
  };
  return createBrowserRouter([
    {
      id: 'preview',
      path: '/admin/editor/preview/:id',
      loader: guard,
      HydrateFallback: Nothing,
      lazy: async () => ({ Component: (await import('./preview/PreviewScreen.tsx')).PreviewScreen }),
    },
    {
      id: 'preview-frame',
      path: '/admin/editor/preview/:id/frame',
      loader: guard,
      HydrateFallback: Nothing,
      lazy: async () => ({ Component: (await import('./preview/FramedPreview.tsx')).FramedPreview }),
    },
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
