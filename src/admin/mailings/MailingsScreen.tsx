import { Progress } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { Mailing } from '../../contract/entities.ts';
import { numberText } from '../../ui/language/say.ts';
import { momentText } from '../../ui/moment-text.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { MAILINGS_PATH } from '../access-tokens/mailing-address.ts';
import { ListScreen } from '../frame/ListScreen.tsx';
import type { Resource } from '../frame/resource.ts';
import { Quiet, Tag } from '../frame/text.tsx';
import { MAILING_STATES_SHOWN, MailingsStore, progressOf } from './mailings-store.ts';

/** How many e-mails have been sent. */
function Sent({ mailing }: { mailing: Mailing }) {
  const { total, ended } = progressOf(mailing);
  if (total === 0) return null;
  if (mailing.state === 'sending')
    return <Progress value={(100 * ended) / total} aria-label={`${ended} of ${total}`} miw={80} />;
  return `${numberText(mailing.counts.sent)} of ${numberText(total)}`;
}

/** What somebody should look at. */
function Exceptions({ mailing: { counts } }: { mailing: Mailing }) {
  const parts = [
    counts.rejected > 0 && `${counts.rejected} rejected`,
    counts.uncertain > 0 && `${counts.uncertain} uncertain`,
  ].filter(Boolean);
  return parts.length > 0 && <Tag color="red">{parts.join(', ')}</Tag>;
}

const MAILINGS: Resource<Mailing> = {
  title: 'E-mails',
  noun: 'mailing',
  nouns: 'mailings',
  area: 'access_tokens',
  path: MAILINGS_PATH,
  isViewed: true,
  empty: 'No e-mails yet. Send the holders of access tokens their personal links.',
  nameOf: ({ name }) => name,
  order: null,
  usual: '-created',
  columns: [
    { id: 'structure', label: 'Structure', cell: ({ structure }) => structure ?? <Quiet span>Removed</Quiet> },
    { id: 'sent', label: 'Sent', cell: (mailing) => <Sent mailing={mailing} /> },
    { id: 'exceptions', label: 'Not delivered', cell: (mailing) => <Exceptions mailing={mailing} /> },
    { id: 'started', label: 'Started', cell: ({ started_at }) => started_at && momentText(started_at) },
    {
      id: 'state',
      label: 'State',
      cell: ({ state }) => {
        const [label, color] = MAILING_STATES_SHOWN[state];
        return state === 'sending' || state === 'paused' ? <Tag color={color}>{label}</Tag> : label;
      },
    },
  ],
  removal: {
    title: ({ name }) => `Remove “${name}”?`,
    text: 'The record of its e-mails is removed, too. This cannot be undone.',
    question: 'The records of their e-mails are removed, too. This cannot be undone.',
    refuse: ({ state }) => (state === 'sending' ? 'The mailing is being sent. Pause it first.' : undefined),
  },
};

/** Mailings to the holders of access tokens. */
export const MailingsScreen = observer(() => {
  const { client } = useSession();
  const [store] = useState(() => new MailingsStore(client));
  return <ListScreen of={MAILINGS} store={store} isShort actions={() => []} />;
});
