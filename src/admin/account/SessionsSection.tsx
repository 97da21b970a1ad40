import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { makeAutoObservable, runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import type { Client } from '../../contract/client.ts';
import type { Session } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Section } from '../frame/Section.tsx';
import { Failed, LoadingRows } from '../frame/states.tsx';
import classes from './account.module.css';

/** The user's sessions. */
export class SessionsStore {
  readonly #client: Client;
  rows: Session[] = [];
  state: 'loading' | 'ready' | 'failed' = 'loading';

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
  }

  /** Whether the user has other sessions. */
  get hasOthers(): boolean {
    return this.rows.some(({ is_current }) => !is_current);
  }

  /** Loads the list, current session first. */
  async load(): Promise<void> {
    try {
      const rows = await this.#client.account.sessions();
      runInAction(() => {
        this.rows = rows.toSorted((one, other) => Number(other.is_current) - Number(one.is_current));
        this.state = 'ready';
      });
    } catch {
      runInAction(() => (this.state = 'failed'));
    }
  }

  /** @throws ApiError with the server's messages */
  async end(id: string): Promise<void> {
    await this.#client.account.endSession({ params: { id } });
    await this.load();
  }

  /** @throws ApiError with the server's messages */
  async endOthers(): Promise<void> {
    await this.#client.account.endOtherSessions();
    await this.load();
  }
}

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
