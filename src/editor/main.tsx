import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../ui/tokens.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
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
import { guardTyping } from './keys/typing-guard.ts';
import classes from './notifications.module.css';
import { createEditorRouter } from './router.tsx';

ignoreComposition();
guardTyping();

const session = new SessionStore(storedText('enfilade.editor-token'));
await session.restore();

// The editor is dark where the back-office is light, so that each keeps its own.
const scheme = localStorageColorSchemeManager({ key: 'enfilade.editor-scheme' });

/** Draws a model; what it takes to draw is loaded with the first one. */
const drawTurntable = async (url: string) => (await import('../../engine/tools/turntable.ts')).drawTurntable(url);

createRoot(document.getElementById('editor')!).render(
  <MantineProvider theme={theme} cssVariablesResolver={surfaces} colorSchemeManager={scheme} defaultColorScheme="dark">
    <Notifications
      position="bottom-right"
      autoClose={5000}
      containerWidth={360}
      classNames={{ root: classes.notifications }}
    />
    <SessionContext value={session}>
      <ClientContext value={session.client}>
        <TurntableContext value={drawTurntable}>
          <RouterProvider router={createEditorRouter(session)} />
          <ConfirmationDialog />
        </TurntableContext>
      </ClientContext>
    </SessionContext>
  </MantineProvider>,
);
