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
import { ignoreComposition } from '../ui/ignore-composition.ts';
import { TurntableContext } from '../ui/media/turntable-context.ts';
import { SessionContext } from '../ui/session/session-context.ts';
import { SessionStore } from '../ui/session/session-store.ts';
import { storedText } from '../ui/storage.ts';
import { surfaces, theme } from '../ui/theme.ts';
import { createAdminRouter } from './router.tsx';

ignoreComposition();

const session = new SessionStore(storedText('enfilade.editor-token'));
await session.restore();

/** Renders model thumbnails; the renderer loads with the first one. */
const drawTurntable = async (url: string) => (await import('../../engine/tools/turntable.ts')).drawTurntable(url);

createRoot(document.getElementById('admin')!).render(
  <MantineProvider theme={theme} cssVariablesResolver={surfaces} defaultColorScheme="light">
    <Notifications position="bottom-right" autoClose={5000} />
    <SessionContext value={session}>
      <ClientContext value={session.client}>
        <TurntableContext value={drawTurntable}>
          <RouterProvider router={createAdminRouter(session)} />
          <ConfirmationDialog />
        </TurntableContext>
      </ClientContext>
    </SessionContext>
  </MantineProvider>,
);
