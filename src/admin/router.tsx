import { createBrowserRouter, redirect } from 'react-router-dom';
import { DashboardScreen } from './dashboard/DashboardScreen.tsx';
import { LoginScreen } from './login/LoginScreen.tsx';
import type { SessionStore } from './session-store.ts';
import { NotFoundScreen } from './shell/NotFoundScreen.tsx';
import { Shell } from './shell/Shell.tsx';

/** The back-office's routes: everything but the login page asks for a session first. */
export function createAdminRouter(session: SessionStore) {
  return createBrowserRouter([
    {
      path: '/admin/login',
      loader: () => (session.hasToken ? redirect('/admin') : null),
      element: <LoginScreen session={session} />,
    },
    {
      path: '/admin',
      loader: ({ request }) => {
        const { pathname, search } = new URL(request.url);
        return session.hasToken ? null : redirect(`/admin/login?redirect=${encodeURIComponent(pathname + search)}`);
      },
      element: <Shell session={session} />,
      children: [
        { index: true, element: <DashboardScreen session={session} /> },
        { path: '*', element: <NotFoundScreen /> },
      ],
    },
  ]);
}
