import { Button, Group, Stack, Text } from '@mantine/core';
import type { Session } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { Loaded, useLoaded } from '../frame/Loaded.tsx';
import { LoadingRows } from '../frame/Screen.tsx';
import { Section } from '../frame/Section.tsx';
import { Quiet, Tag } from '../frame/text.tsx';
import classes from './account.module.css';

const deviceNameOf = ({ device }: Session) => device || 'Unknown device';

function SessionRow({ session, onEnd }: { session: Session; onEnd(): void }) {
  const { address, created_at, last_used_at, is_current } = session;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Group gap="xs">
          <Text fw={500}>{deviceNameOf(session)}</Text>
          {is_current && <Tag color="teal">This device</Tag>}
        </Group>
        <Quiet>
          {address && `${address} · `}signed in {momentText(created_at)} · last used {momentText(last_used_at)}
        </Quiet>
      </div>
      {!is_current && (
        <Button variant="default" size="xs" onClick={onEnd} aria-label={`Sign out: ${deviceNameOf(session)}`}>
          Sign out
        </Button>
      )}
    </li>
  );
}

/** The user's sessions, the current one first. */
export const useSessions = () =>
  useLoaded(async ({ account }) =>
    (await account.sessions()).toSorted((one, other) => Number(other.is_current) - Number(one.is_current)),
  );

/** Active sessions, and signing them out. */
export function SessionsSection({ sessions }: { sessions: ReturnType<typeof useSessions> }) {
  const { account } = useSession().client;
  const end = (call: Promise<unknown>) => call.then(sessions.load).catch(showProblem);
  const endOthers = async () => {
    const yes = await confirm({
      title: 'Sign out everywhere else?',
      text: 'You stay signed in here and are signed out everywhere else.',
      action: 'Sign out everywhere else',
      destroys: true,
    });
    if (yes) await end(account.endOtherSessions());
  };
  return (
    <Section
      title="Sessions"
      action={
        sessions.value?.some(({ is_current }) => !is_current) && (
          <Button variant="default" onClick={() => void endOthers()}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <Quiet>
        Devices on which you are signed in. A session ends after 12 hours without use, and 30 days after signing in.
      </Quiet>
      <Loaded of={sessions} what="The sessions" loading={<LoadingRows count={2} />}>
        {(rows) => (
          <Stack component="ul" className={classes.list} gap={0} aria-label="Sessions">
            {rows.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                onEnd={() => void end(account.endSession({ params: { id: session.id } }))}
              />
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
