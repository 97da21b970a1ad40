import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../ui/tokens.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { ClientContext } from '../ui/client-context.ts';
import { ConfirmationDialog } from '../ui/confirmation/ConfirmationDialog.tsx';
import { SessionContext } from '../ui/session/session-context.ts';
import { SessionStore } from '../ui/session/session-store.ts';
import { storedText } from '../ui/storage.ts';
import { surfaces, theme } from '../ui/theme.ts';
import { createAdminRouter } from './router.tsx';

const session = new SessionStore(storedText('enfilade.editor-token'));
await session.restore();

createRoot(document.getElementById('admin')!).render(
  <MantineProvider theme={theme} cssVariablesResolver={surfaces} defaultColorScheme="light">
    <Notifications position="bottom-right" autoClose={5000} />
    <SessionContext value={session}>
      <ClientContext value={session.client}>
        <RouterProvider router={createAdminRouter(session)} />
        <ConfirmationDialog />
      </ClientContext>
    </SessionContext>
  </MantineProvider>,
);
