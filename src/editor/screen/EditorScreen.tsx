import { Alert, Anchor, Button, Center, Loader, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import { ApiError } from '../../contract/errors.ts';
import { useClient } from '../../ui/client-context.ts';
import { showNotification } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { browserDrafts } from '../edit-window/draft-storage.ts';
import { keepPoster } from '../poster/keep-poster.ts';
import { makeRevisions } from '../revisions/automatic-revisions.ts';
import { browserQueue } from '../saving/edit-storage.ts';
import { type Editor, EditorContext } from '../session/editor-context.ts';
import { openEditor } from './open-editor.ts';
import { Workplace } from './Workplace.tsx';

const PROBLEMS = {
  missing: 'This space was not found; it may have been deleted.',
  forbidden: "You don't have permission to change this space. Ask an administrator for the right to do it.",
  failed: 'The space could not be loaded. Check the connection and try again.',
} as const;

function problemOf(error: unknown): keyof typeof PROBLEMS {
  if (!(error instanceof ApiError)) return 'failed';
  return error.code === 'not_found' ? 'missing' : error.code === 'forbidden' ? 'forbidden' : 'failed';
}

/** The editor of a room: opens it, or shows the error. */
export function EditorScreen() {
  const { id } = useParams();
  const roomId = /^\d{1,15}$/.test(id ?? '') ? Number(id) : 0;
  const client = useClient();
  const session = useSession();
  const [editor, setEditor] = useState<Editor | null>(null);
  const [problem, setProblem] = useState<keyof typeof PROBLEMS | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt reruns the effect.
  useEffect(() => {
    let opened: Editor | null = null;
    let isGone = false;
    let endTasks = () => {};
    const open = async () => {
      if (session.state === 'unreachable') await session.restore();
      if (!session.user) throw new Error('The server does not answer.');
      if (!session.may('rooms', 'update')) throw new ApiError('forbidden');
      const { id: userId } = session.user;
      const owner = `${userId}:${roomId}`;
      opened = await openEditor({
        client,
        roomId,
        userId,
        storage: browserQueue(owner),
        draftStorage: browserDrafts(owner),
        now: () => performance.timeOrigin + performance.now(),
        notify: showNotification,
        token: () => session.token,
      });
      if (isGone) {
        opened.end();
        return;
      }
      opened.saving.log.start();
      opened.line.open();
      const ends = [makeRevisions(opened), keepPoster(opened)];
      endTasks = () => {
        for (const end of ends) end();
      };
      setEditor(opened);
    };
    setProblem(null);
    setEditor(null);
    open().catch((error: unknown) => !isGone && setProblem(problemOf(error)));
    return () => {
      isGone = true;
      opened?.end();
      endTasks();
    };
  }, [client, session, roomId, attempt]);

  useEffect(() => {
    document.title = `Room #${roomId} · 3D Editor · Enfilade`;
  }, [roomId]);

  if (editor)
    return (
      <EditorContext value={editor}>
        <Workplace />
      </EditorContext>
    );
  return (
    <Center component="main" h="100dvh" p="md">
      {problem ? (
        <Alert color="red" role="alert" title={`Room #${roomId}`} maw={420}>
          <Stack align="flex-start">
            {PROBLEMS[problem]}
            {problem === 'failed' && (
              <Button size="xs" onClick={() => setAttempt(attempt + 1)}>
                Try again
              </Button>
            )}
            <Anchor href="/admin/spaces" size="sm">
              Back to the spaces
            </Anchor>
          </Stack>
        </Alert>
      ) : (
        <Loader aria-label="Loading" role="status" />
      )}
    </Center>
  );
}
