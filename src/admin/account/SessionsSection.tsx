import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import type { Session } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Failed, LoadingRows } from '../frame/states.tsx';
import classes from './account.module.css';
import { Section } from './Section.tsx';
import type { SessionsStore } from './sessions-store.ts';

const deviceNameOf = ({ device }: Session) => device || 'Unknown device';

function SessionRow({ session, onEnd }: { session: Session; onEnd(): void }) {
  const { address, created_at, last_used_at, is_current } = session;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Group gap="xs">
          <Text fw={500}>{deviceNameOf(session)}</Text>
          {is_current && (
            <Badge variant="light" color="teal" tt="none">
              This device
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {address && `${address} · `}signed in {momentText(created_at)} · last used {momentText(last_used_at)}
        </Text>
      </div>
      {!is_current && (
        <Button variant="default" size="xs" onClick={onEnd} aria-label={`Sign out: ${deviceNameOf(session)}`}>
          Sign out
        </Button>
      )}
    </li>
  );
}

/** Active sessions, and signing them out. */
export const SessionsSection = observer(({ store }: { store: SessionsStore }) => {
  const endOthers = async () => {
    const yes = await confirm({
      title: 'Sign out everywhere else?',
      text: 'You stay signed in here and are signed out everywhere else.',
      action: 'Sign out everywhere else',
      destroys: true,
    });
    if (yes) await store.endOthers().catch(showProblem);
  };
  return (
    <Section
      title="Sessions"
      action={
        store.hasOthers && (
          <Button variant="default" onClick={() => void endOthers()}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed">
        Devices on which you are signed in. A session ends after 12 hours without use, and 30 days after signing in.
      </Text>
      {store.state === 'loading' && <LoadingRows count={2} />}
      {store.state === 'failed' && <Failed what="The sessions could not be loaded" onRetry={() => void store.load()} />}
      {store.state === 'ready' && (
        <Stack component="ul" className={classes.list} gap={0} aria-label="Sessions">
          {store.rows.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              onEnd={() => void store.end(session.id).catch(showProblem)}
            />
          ))}
        </Stack>
      )}
    </Section>
  );
});
