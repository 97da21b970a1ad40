import { Menu, Text, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCloudCheck,
  IconCloudOff,
  IconCloudUp,
  IconDots,
  IconEye,
  IconGitPullRequest,
  IconKeyboard,
  IconLayoutSidebar,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconVersions,
  IconWorldUpload,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { previewPath } from '../../contract/editor-path.ts';
import { IconAction } from '../../ui/IconAction.tsx';
import { say } from '../../ui/language/say.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import classes from '../layout/editor.module.css';
import { useEditor } from '../session/editor-context.ts';
import { OthersHere } from '../together/Others.tsx';
import { leaveEditor } from './leave-editor.ts';

/** Saving indicator with text and icon, and actions for unsaved edits. */
const SaveState = observer(({ onSignIn }: { onSignIn(): void }) => {
  const { saving } = useEditor();
  const { state: signedIn } = useSession();
  const { text, queue } = saving;
  const isWaiting = queue.waiting > 0;
  const isStuck = isWaiting && text !== say('Saving');
  const { next: conflict } = saving.conflicts;
  const Sign = !isWaiting
    ? IconCloudCheck
    : !isStuck
      ? IconCloudUp
      : queue.hasFailed
        ? IconCloudOff
        : IconAlertTriangle;
  const words = (
    <Text span size="sm" c={isStuck ? undefined : 'dimmed'} truncate className={classes.saveText}>
      {text}
    </Text>
  );
  return (
    <span className={classes.saveState}>
      <Sign size={18} aria-hidden color={isStuck ? 'var(--mantine-color-error)' : 'var(--mantine-color-dimmed)'} />
      <span role="status" aria-label="Saving" style={{ display: 'contents' }}>
        {words}
      </span>
      {conflict && (
        <UnstyledButton fz="sm" td="underline" onClick={() => saving.conflicts.ask()}>
          Decide
        </UnstyledButton>
      )}
      {signedIn === 'expired' && (
        <UnstyledButton fz="sm" td="underline" onClick={onSignIn}>
          Sign in
        </UnstyledButton>
      )}
      {queue.state === 'failing' && (
        <UnstyledButton fz="sm" td="underline" onClick={() => queue.resume()}>
          Try now
        </UnstyledButton>
      )}
      {queue.hasStorageFailed && isWaiting && (
        <Text span size="sm" c="red" role="alert">
          Keep this page open: the browser stores nothing.
        </Text>
      )}
    </span>
  );
});

/** Window width in which some actions move to a menu. */
const NARROW = '(max-width: 700px)';
/** Window width in which the most frequent actions show their labels. */
const WIDE = '(min-width: 1360px)';

/** An action of the bar that moves to a menu in narrow windows. */
interface Other {
  label: string;
  hint?: string;
  icon: ReactNode;
  /** Label beside the icon in wide windows. */
  word?: string;
  beginsGroup?: true;
  to?: string;
  isDisabled?: boolean;
  onClick?(): void;
}

/** Bar with breadcrumbs, the saving indicator and actions of the room. */
export const TopBar = observer(
  ({
    isFolded,
    onFold,
    onSheet,
    onSettings,
    onRevisions,
    onPublish,
    onSignIn,
    history,
    check,
  }: {
    isFolded: boolean;
    onFold(): void;
    onSheet(): void;
    onSettings(): void;
    onRevisions(): void;
    onPublish(): void;
    onSignIn(): void;
    /** History controls. */
    history: ReactNode;
    /** Button of the check panel. */
    check: ReactNode;
  }) => {
    const editor = useEditor();
    const { document, isProposal, roomId } = editor;
    const session = useSession();
    const isNarrow = useMediaQuery(NARROW) ?? false;
    const isWide = useMediaQuery(WIDE) ?? false;
    const { setColorScheme } = useMantineColorScheme();
    const scheme = useComputedColorScheme('dark');
    const other = scheme === 'dark' ? 'light' : 'dark';
    const logout = async () => {
      await leaveEditor(editor);
      await session.logout();
      location.assign('/admin/login');
    };
    const review = async () => {
      await leaveEditor(editor);
      const { data } = await editor.client.proposals.list({ query: { branch_id: roomId } });
      location.assign(data[0] ? `/admin/spaces/proposals/${data[0].id}` : '/admin/spaces');
    };
    const others: readonly Other[] = [
      isProposal
        ? {
            label: 'Review proposal',
            word: 'Review proposal',
            icon: <IconGitPullRequest size={18} />,
            onClick: () => void review().catch(showProblem),
          }
        : {
            label: 'Publish',
            word: 'Publish',
            isDisabled: document.isReadOnly,
            icon: <IconWorldUpload size={18} />,
            onClick: onPublish,
          },
      { label: 'Preview', word: 'Preview', to: previewPath(roomId), icon: <IconEye size={18} /> },
      {
        label: 'Room settings',
        word: 'Settings',
        beginsGroup: true,
        icon: <IconSettings size={18} />,
        onClick: onSettings,
      },
      { label: 'Keys', hint: 'Keys (?)', icon: <IconKeyboard size={18} />, onClick: onSheet },
      {
        beginsGroup: true,
        label: other === 'dark' ? 'Dark mode' : 'Light mode',
        icon: other === 'dark' ? <IconMoon size={18} /> : <IconSun size={18} />,
        onClick: () => setColorScheme(other),
      },
      { label: 'Logout', icon: <IconLogout size={18} />, onClick: () => void logout() },
    ];
    return (
      <section className={classes.top} aria-label="Editor bar">
        <IconAction
          label={isFolded ? 'Show panels' : 'Hide panels'}
          isExpanded={!isFolded}
          icon={<IconLayoutSidebar size={18} />}
          onClick={onFold}
        />
        <nav aria-label="Breadcrumb" style={{ minWidth: 0 }}>
          <ol className={classes.crumbs}>
            <li>
              <a href="/admin/spaces">Space</a>
            </li>
            <li>3D Editor</li>
            <li>
              {isProposal ? <h1>Proposal</h1> : <h1>Room #{roomId}</h1>}
              <span className={classes.roomTitle} title={document.room.title}>
                {document.room.title}
              </span>
            </li>
          </ol>
        </nav>
        <SaveState onSignIn={onSignIn} />
        <OthersHere />
        <span className={classes.rule} />
        <IconAction
          label="Undo"
          hint="Undo (Ctrl+Z)"
          isDisabled={!document.canUndo}
          icon={<IconArrowBackUp size={18} />}
          onClick={() => document.undo()}
        />
        <IconAction
          label="Redo"
          hint="Redo (Ctrl+Shift+Z)"
          isDisabled={!document.canRedo}
          icon={<IconArrowForwardUp size={18} />}
          onClick={() => document.redo()}
        />
        {history}
        <span className={classes.rule} />
        <IconAction label="Revisions" hint="Revisions (V)" icon={<IconVersions size={18} />} onClick={onRevisions} />
        {check}
        {isNarrow ? (
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <IconAction label="More" icon={<IconDots size={18} />} />
            </Menu.Target>
            <Menu.Dropdown>
              {others.map(({ label, icon, to, isDisabled, onClick }) =>
                to ? (
                  <Menu.Item key={label} leftSection={icon} component={Link} to={to}>
                    {label}
                  </Menu.Item>
                ) : (
                  <Menu.Item key={label} leftSection={icon} disabled={isDisabled} onClick={onClick}>
                    {label}
                  </Menu.Item>
                ),
              )}
            </Menu.Dropdown>
          </Menu>
        ) : (
          <>
            <span className={classes.rule} />
            {others.map(({ beginsGroup, word, ...each }) => (
              <Fragment key={each.label}>
                {beginsGroup && <span className={classes.rule} />}
                <IconAction {...each} {...(isWide && word && { word })} />
              </Fragment>
            ))}
          </>
        )}
      </section>
    );
  },
);
