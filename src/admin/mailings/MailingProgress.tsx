import { Alert, Button, Group, Pagination, Progress, Stack, Tabs, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import type { Page } from '../../contract/client.ts';
import { EMAIL_STATES, type EmailState, type Mailing, type MailingEmail } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { inSentence, numberText } from '../../ui/language/say.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { MAILINGS_PATH } from '../access-tokens/mailing-address.ts';
import { List, ListRow, RowActions } from '../frame/List.tsx';
import { Empty, LoadingRows, Screen } from '../frame/Screen.tsx';
import { Section } from '../frame/Section.tsx';
import { Quiet, Tag } from '../frame/text.tsx';
import { countText } from '../stores/list-store.ts';
import { EMAIL_STATE_NAMES, MAILING_STATES_SHOWN, progressOf } from './mailings-store.ts';

/** Milliseconds between refreshes while e-mails are being sent. */
const REFRESH = 1500;
const PER_PAGE = 50;

/** Tabs of e-mails by state; those that wait and those under way are one. */
const TABS: readonly EmailState[] = EMAIL_STATES.filter((state) => state !== 'sending');

/** What there is to say about an e-mail. */
function detailsOf({ email, answer, attempts, next_at, sent_at, state, report }: MailingEmail): string {
  const parts = [
    email,
    report === 'delivered' && 'delivered',
    report === 'delayed' && `delayed: ${sayMessage(answer)}`,
    state !== 'sent' && sayMessage(answer),
    state === 'waiting' && attempts > 0 && next_at && `next attempt ${momentText(next_at)}`,
    state === 'sent' && sent_at && momentText(sent_at),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Changes of chosen e-mails, which a person decides. */
interface Decisions {
  resend(ids: readonly number[]): void;
  markSent(ids: readonly number[]): void;
}

/** E-mails in one state, page by page. */
function Emails({ mailing, state, decisions }: { mailing: Mailing; state: EmailState; decisions: Decisions | null }) {
  const { client } = useSession();
  const [page, setPage] = useState(1);
  const [found, setFound] = useState<Page<MailingEmail[]> | null>(null);
  const { id, counts } = mailing;
  const count = counts[state];
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads when the number changes.
  useEffect(() => {
    let isCurrent = true;
    client.mailings
      .emails({ params: { id }, query: { state, page, per_page: PER_PAGE } })
      .then((loaded) => isCurrent && setFound(loaded), showProblem);
    return () => {
      isCurrent = false;
    };
  }, [client, id, state, page, count]);
  if (!found) return <LoadingRows count={4} />;
  if (found.data.length === 0) return <Empty text={`No e-mails are ${inSentence(EMAIL_STATE_NAMES[state])}.`} />;
  return (
    <Stack>
      <List label={`${EMAIL_STATE_NAMES[state]} e-mails`}>
        {found.data.map((email) => (
          <ListRow
            key={email.id}
            name={email.name || email.email}
            details={<Quiet span>{detailsOf(email)}</Quiet>}
            actions={
              decisions && (
                <RowActions
                  name={email.name || email.email}
                  items={[
                    state !== 'waiting' && {
                      label: 'Send again',
                      icon: <IconPlayerPlay size={18} />,
                      onClick: () => decisions.resend([email.id]),
                    },
                  ]}
                />
              )
            }
          />
        ))}
      </List>
      {found.meta.last_page > 1 && <Pagination total={found.meta.last_page} value={page} onChange={setPage} />}
    </Stack>
  );
}

/** What to do about e-mails whose outcome is unknown. */
function Uncertain({ mailing, decisions }: { mailing: Mailing; decisions: Decisions | null }) {
  const { client } = useSession();
  const count = mailing.counts.uncertain;
  if (count === 0) return null;
  const decide = async (decision: keyof Decisions) => {
    const ids: number[] = [];
    for (let page = 1, last = 1; page <= last; page++) {
      const query = { state: 'uncertain', page, per_page: 100 } as const;
      const { data, meta } = await client.mailings.emails({ params: { id: mailing.id }, query });
      ids.push(...data.map(({ id }) => id));
      last = meta.last_page;
    }
    decisions?.[decision](ids);
  };
  return (
    <Alert
      color="brass"
      icon={<IconAlertTriangle aria-hidden />}
      title={`${countText(count, 'e-mails')} may or may not have arrived`}
    >
      <Stack align="flex-start" gap="sm">
        <Text size="sm">
          The connection ended before the mail server confirmed. Nothing is sent again automatically, so that nobody
          gets two.
        </Text>
        {decisions && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => void decide('markSent').catch(showProblem)}>
              Mark as sent
            </Button>
            <Button size="xs" variant="default" onClick={() => void decide('resend').catch(showProblem)}>
              Send again
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Reads a mailing again and again while it is being sent. */
function useRefreshed({ id, state }: Mailing, onChange: (mailing: Mailing) => void): void {
  const { client } = useSession();
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    if (state !== 'sending') return;
    let isCurrent = true;
    const read = () =>
      void client.mailings.read({ params: { id } }).then(
        (mailing) => isCurrent && change.current(mailing),
        () => undefined,
      );
    const timer = setInterval(read, REFRESH);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [client, id, state]);
}

/** A mailing that has been started: how far it is, and each of its e-mails. */
export const MailingProgress = observer(
  ({ mailing, onChange }: { mailing: Mailing; onChange(mailing: Mailing): void }) => {
    const session = useSession();
    const { mailings } = session.client;
    const { id, name, state, problem, counts, structure, subject, text } = mailing;
    const [tab, setTab] = useState<EmailState>(
      (['rejected', 'returned'] as const).find((each) => counts[each] > 0) ?? 'sent',
    );
    useRefreshed(mailing, onChange);
    const { total, ended } = progressOf(mailing);
    const mayChange = session.may('access_tokens', 'update');
    const run = (change: Promise<Mailing>) => void change.then(onChange, showProblem);
    const resend = async (ids: readonly number[]) => {
      const title = `Send ${countText(ids.length, 'e-mails')} again?`;
      const sure = await confirm({
        title,
        text: 'Recipients who have it already get a second copy.',
        action: 'Send again',
      });
      if (sure) run(mailings.resend({ params: { id }, body: { ids: [...ids] } }));
    };
    const decisions: Decisions | null = mayChange
      ? {
          resend: (ids) => void resend(ids),
          markSent: (ids) => run(mailings.markSent({ params: { id }, body: { ids: [...ids] } })),
        }
      : null;
    const [label, color] = MAILING_STATES_SHOWN[state];
    return (
      <Screen
        title={name}
        back={MAILINGS_PATH}
        narrow
        allowed={session.may('access_tokens', 'view_any')}
        action={
          mayChange &&
          (state === 'sending' ? (
            <Button
              variant="default"
              leftSection={<IconPlayerPause size={18} aria-hidden />}
              onClick={() => run(mailings.pause({ params: { id } }))}
            >
              Pause
            </Button>
          ) : (
            state === 'paused' && (
              <Button
                leftSection={<IconPlayerPlay size={18} aria-hidden />}
                onClick={() => run(mailings.resume({ params: { id } }))}
              >
                Resume
              </Button>
            )
          ))
        }
      >
        {problem && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Sending has been paused" role="alert">
            {sayMessage(problem)}
          </Alert>
        )}
        <Uncertain mailing={mailing} decisions={decisions} />
        <Section
          title={`${numberText(ended)} of ${numberText(total)} e-mails`}
          action={<Tag color={color}>{label}</Tag>}
        >
          <Progress value={total === 0 ? 0 : (100 * ended) / total} aria-label="Progress" />
          <details>
            <summary>
              <Text span size="sm">
                {subject}
              </Text>
              {structure && <Quiet span> · {structure}</Quiet>}
            </summary>
            <Text size="sm" mt="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text}
            </Text>
          </details>
        </Section>
        <Tabs value={tab} onChange={(value) => setTab(TABS.find((each) => each === value) ?? 'sent')}>
          <Tabs.List>
            {TABS.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {EMAIL_STATE_NAMES[each]} {numberText(counts[each])}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={tab} pt="md">
            <Emails key={tab} mailing={mailing} state={tab} decisions={decisions} />
          </Tabs.Panel>
        </Tabs>
      </Screen>
    );
  },
);
