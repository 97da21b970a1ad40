import { lostPartTexts } from './load-part.ts';
import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './tokens.css';
import { localStorageColorSchemeManager, type MantineColorScheme, MantineProvider } from '@mantine/core';
import { Notifications, type NotificationsProps } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { errorTexts } from '../contract/errors.ts';
import { ClientContext } from './client-context.ts';
import { ConfirmationDialog } from './confirmation/ConfirmationDialog.tsx';
import { sayMessage } from './language/say-message.ts';
import { type DrawTurntable, TurntableContext } from './media/turntable-context.ts';
import { SessionContext } from './session/session-context.ts';
import { SessionStore, TOKEN_KEY } from './session/session-store.ts';
import { storedText } from './storage.ts';
import { surfaces, theme } from './theme.ts';

interface Page {
  /** Id of the element that holds the page. */
  root: string;
  /** Color scheme until the user chooses one. */
  scheme: MantineColorScheme;
  /** Storage key of the user's choice. */
  schemeKey?: string;
  notifications?: Pick<NotificationsProps, 'containerWidth' | 'classNames'>;
  drawTurntable?: DrawTurntable;
  render(session: SessionStore): ReactNode;
}

/** The editor and its preview are dark where the back-office is light, so they store their own choice. */
export const EDITOR_SCHEME = { scheme: 'dark', schemeKey: 'enfilade.editor-scheme' } as const;

/** Mounts a page for signed-in users: theme, notifications, confirmations, session and API client. */
export async function mountPage(page: Page): Promise<void> {
  errorTexts.textOf = sayMessage;
  lostPartTexts.message = () => 'Part of this page could not be loaded. Check your connection.';
  lostPartTexts.retry = () => 'Retry';
  lostPartTexts.reload = () => 'Reload page';
  const session = new SessionStore(storedText(TOKEN_KEY));
  await session.restore();
  createRoot(document.getElementById(page.root)!).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={surfaces}
      colorSchemeManager={localStorageColorSchemeManager(page.schemeKey ? { key: page.schemeKey } : {})}
      defaultColorScheme={page.scheme}
    >
      <Notifications position="bottom-right" autoClose={5000} {...page.notifications} />
      <SessionContext value={session}>
        <ClientContext value={session.client}>
          <TurntableContext value={page.drawTurntable ?? null}>
            {page.render(session)}
            <ConfirmationDialog />
          </TurntableContext>
        </ClientContext>
      </SessionContext>
    </MantineProvider>,
  );
}
