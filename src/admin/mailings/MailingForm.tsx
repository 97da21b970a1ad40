import {
  Alert,
  Anchor,
  Button,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconAlertTriangle, IconSend } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { Mailing, MailingSelection, Recipients } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { fillIn, fillInLine, PLACEHOLDERS, type Recipient } from '../../contract/mailing-text.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { showDone, showProblem, showProblemText } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { findEndpoints } from '../access-tokens/access-tokens-store.ts';
import { MAILINGS_PATH, selectedIn } from '../access-tokens/mailing-address.ts';
import { FormScreen } from '../frame/FormScreen.tsx';
import { choice, option, words } from '../frame/fields.ts';
import { LANGUAGE_NAMES } from '../frame/language-names.ts';
import { Quiet } from '../frame/text.tsx';
import { countText } from '../stores/list-store.ts';
import { EVERYBODY, isNarrow, type MailingDraft, MailingsStore, newDraft } from './mailings-store.ts';

const MAILING = { noun: 'mailing', area: 'access_tokens', path: MAILINGS_PATH } as const;

/** Names shown before "and more". */
const NAMED = 5;

/** Values for a preview without a recipient: the placeholders themselves. */
const NOBODY = Object.fromEntries(PLACEHOLDERS.map((name) => [name, `{${name}}`])) as Recipient;

/** The e-mail as its first recipient gets it. */
function Preview({ draft: { subject, text }, first }: { draft: MailingDraft; first: Recipients['first'] }) {
  const recipient = { ...NOBODY, ...first?.values };
  return (
    <Stack gap="xs" component="section" aria-label="Preview">
      <Text size="sm" fw={500}>
        Preview
      </Text>
      <Paper withBorder p="md" radius="sm" style={{ overflowWrap: 'anywhere' }}>
        <Quiet>To {first ? first.email : 'the first recipient'}</Quiet>
        <Text fw={600} mt={4} mb="md">
          {fillInLine(subject, recipient) || 'No subject'}
        </Text>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
          {fillIn(text, recipient)}
        </Text>
      </Paper>
    </Stack>
  );
}

/** Buttons that insert a placeholder at the cursor. */
function Placeholders({ store, field }: { store: MailingsStore; field: RefObject<HTMLTextAreaElement | null> }) {
  const insert = (name: string) => {
    const { text } = store.draft;
    const [start, end] = [field.current?.selectionStart ?? text.length, field.current?.selectionEnd ?? text.length];
    store.set({ text: `${text.slice(0, start)}{${name}}${text.slice(end)}` });
    field.current?.focus();
  };
  return (
    <Group gap={4} role="group" aria-label="Placeholders">
      {PLACEHOLDERS.map((name) => (
        <Button key={name} variant="default" size="compact-xs" onClick={() => insert(name)}>
          {`{${name}}`}
        </Button>
      ))}
    </Group>
  );
}

/** Who is skipped for lack of an address. */
function Skipped({ recipients: { without_address: count, skipped } }: { recipients: Recipients }) {
  if (count === 0) return null;
  const names = skipped.slice(0, NAMED).join(', ') + (count > NAMED ? ` and ${count - NAMED} more` : '');
  const title = `${countText(count, 'holders')} without an e-mail address ${count === 1 ? 'is' : 'are'} skipped`;
  return (
    <Alert color="brass" icon={<IconAlertTriangle aria-hidden />} title={title}>
      {names}
    </Alert>
  );
}

/** The recipients of a mailing; undefined while they load, or without a structure. */
function useRecipients({ draft, entry }: MailingsStore, id: number | null) {
  const { client } = useSession();
  const { endpoint_id, language } = draft;
  const [recipients, setRecipients] = useState<Recipients>();
  const [problem, setProblem] = useState('');
  const selection = JSON.stringify(draft.selection);
  // The server leaves out stored tokens that were removed meanwhile.
  const isStored = entry !== null && selection === JSON.stringify(entry.selection);
  useEffect(() => {
    let isCurrent = true;
    setRecipients(undefined);
    setProblem('');
    if (endpoint_id === null) return;
    const selected: MailingSelection = isStored ? {} : JSON.parse(selection);
    client.mailings
      .recipients({ body: { endpoint_id, language, ...(id !== null && { mailing_id: id }), ...selected } })
      .then((found) => isCurrent && setRecipients(found))
      .catch((error) => {
        if (isCurrent && error instanceof ApiError) setProblem(error.message);
      });
    return () => {
      isCurrent = false;
    };
  }, [client, endpoint_id, language, id, selection, isStored]);
  return { recipients, problem };
}

/** What narrows a selection down. */
function selectionText({ ids, filter = {} }: MailingSelection): string {
  if (ids) return 'Only the chosen access tokens are included.';
  const { state, group, search } = filter;
  const parts = [state && `state ${state}`, group && `group ${group}`, search && `search “${search}”`];
  return `Only access tokens with ${parts.filter(Boolean).join(', ')} are included.`;
}

/** Sends a draft: a test to the user, or to everybody. */
const SendButtons = observer(
  ({
    id,
    store,
    count,
    onSent,
  }: {
    id: number;
    store: MailingsStore;
    count: number;
    onSent(mailing: Mailing): void;
  }) => {
    const { client } = useSession();
    const [isTesting, setTesting] = useState(false);
    const [isSending, setSending] = useState(false);
    const call = { params: { id }, body: {} };
    const guests = countText(count, 'guests');
    const test = async () => {
      setTesting(true);
      await client.mailings
        .test(call)
        .then(({ works, text }) => (works ? showDone(text) : showProblemText(text)), showProblem);
      setTesting(false);
    };
    const send = async () => {
      const title = `Send to ${guests}?`;
      const text = `“${store.draft.subject}” is e-mailed now. You can pause it, but not undo what has been sent.`;
      if (!(await confirm({ title, text, action: 'Send' }))) return;
      setSending(true);
      await client.mailings.send(call).then(onSent, showProblem);
      setSending(false);
    };
    return (
      <>
        <Button
          leftSection={<IconSend size={18} aria-hidden />}
          disabled={store.isDirty || count === 0}
          loading={isSending}
          onClick={() => void send()}
        >
          Send to {guests}
        </Button>
        <Button
          variant="default"
          disabled={store.isDirty || count === 0}
          loading={isTesting}
          onClick={() => void test()}
        >
          Send test
        </Button>
      </>
    );
  },
);

/** The form of a draft, with a preview of its first e-mail. */
export const MailingForm = observer(({ id, onSent }: { id: number | null; onSent?(mailing: Mailing): void }) => {
  const session = useSession();
  const [params] = useSearchParams();
  const [store] = useState(() => new MailingsStore(session.client));
  const field = useRef<HTMLTextAreaElement>(null);
  const { recipients, problem } = useRecipients(store, id);
  const { draft, entry } = store;
  const endpoint = id === null ? Number(params.get('endpoint')) || null : null;
  /** What the form began with. */
  const begun = entry ?? { endpoint_id: endpoint, selection: selectedIn(params) };
  const choose = choice(store, 'endpoint_id');
  const isReset = isNarrow(begun.selection) && !isNarrow(draft.selection);
  const chosen = entry && { id: entry.endpoint_id, name: entry.structure ?? 'Removed structure' };
  return (
    <FormScreen
      of={MAILING}
      addTitle="Add e-mail"
      name={entry?.name}
      store={store}
      id={id}
      begin={newDraft(begun)}
      after={(saved) => (id === null ? `${MAILINGS_PATH}/${saved.id}` : undefined)}
      more={
        id !== null &&
        onSent &&
        recipients && <SendButtons id={id} store={store} count={recipients.count} onSent={onSent} />
      }
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <EntrySelect
            label="Structure"
            description="The holders of its access tokens receive the e-mail."
            withAsterisk
            find={findEndpoints(session.client)}
            chosen={chosen ?? (endpoint === null ? null : { id: endpoint, name: `Structure ${endpoint}` })}
            {...choose}
            onChange={(value) => {
              choose.onChange(value);
              // Other structures have other tokens and groups.
              const isKept = begun.endpoint_id === null || store.draft.endpoint_id === begun.endpoint_id;
              store.set({ selection: isKept ? begun.selection : EVERYBODY });
            }}
          />
          <TextInput
            label="Name"
            description="Only your organization sees it."
            withAsterisk
            maxLength={120}
            {...words(store, 'name')}
          />
          <TextInput label="Subject" withAsterisk maxLength={255} {...words(store, 'subject')} />
          <Textarea
            ref={field}
            label="Text"
            withAsterisk
            autosize
            minRows={8}
            maxRows={24}
            maxLength={20_000}
            {...words(store, 'text')}
          />
          <Placeholders store={store} field={field} />
          <Group grow align="start">
            <TextInput label="Replies to" placeholder="The sender" type="email" {...words(store, 'reply_to')} />
            <Select
              label="Language of dates"
              allowDeselect={false}
              data={LANGUAGE_NAMES}
              {...option(store, 'language')}
            />
          </Group>
        </Stack>
        <Stack>
          {problem && (
            <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Nobody can be chosen">
              {problem}{' '}
              <Anchor component={Link} to="/admin/access-tokens" size="sm">
                Choose again
              </Anchor>
            </Alert>
          )}
          <Preview draft={draft} first={recipients?.first ?? null} />
          {recipients && (
            <Quiet role="status">
              {countText(recipients.count, 'guests')} will receive it.
              {isNarrow(draft.selection) && ` ${selectionText(draft.selection)}`}
              {isReset && ' The selection was for the other structure, so all of its holders are included now.'}
              {recipients.already > 0 && ` ${recipients.already} already did.`}
            </Quiet>
          )}
          {recipients && <Skipped recipients={recipients} />}
        </Stack>
      </SimpleGrid>
    </FormScreen>
  );
});
