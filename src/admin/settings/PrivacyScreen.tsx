import {
  Alert,
  Anchor,
  Button,
  Group,
  Modal,
  NumberInput,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { calls } from '../../contract/calls.ts';
import type { Organization } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { flag, number, option, words } from '../frame/fields.ts';
import { Quiet } from '../frame/text.tsx';
import { countText } from '../stores/list-store.ts';
import { createOrganizationStore, SettingsForm } from './SettingsForm.tsx';

/** Erases a current or former user, or a token holder, by email address. */
function ErasePerson({ onClose }: { onClose(): void }) {
  const { client } = useSession();
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<{ entries: number; tokens: number; messages: number } | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    try {
      setDone(await client.privacy.eraseUser({ body: { email } }));
    } catch (error) {
      setProblem(error instanceof ApiError ? Object.values(error.msg).flat().join(' ') : String(error));
    }
    setBusy(false);
  };
  return (
    <Modal opened onClose={onClose} title="Erase a person">
      {done ? (
        <Stack>
          <Text>
            {email.trim()} has been erased: from {countText(done.entries, 'entries')} of the history and the audit log
            and from {countText(done.tokens, 'access tokens')}; {countText(done.messages, 'messages')} to them deleted
            from this server.
          </Text>
          <Quiet>Earlier backups still contain their data until you delete them.</Quiet>
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={(event) => void submit(event)} noValidate>
          <Stack>
            <Text>
              Deletes their account, sessions and API keys, and removes their name and address from the history, the
              audit log, imports and access tokens. Their work stays, and access tokens stay valid. This cannot be
              undone.
            </Text>
            <TextInput
              label="E-mail of the user or token holder"
              type="email"
              withAsterisk
              maxLength={254}
              data-autofocus
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            {problem && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" color="red" loading={isBusy} disabled={email.trim() === ''}>
                Erase
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}

const privacyDraftOf = (organization: Organization | null) => ({
  audit_days: organization?.audit_days ?? null,
  shares_days: organization?.shares_days ?? null,
  originals_megabytes: organization?.originals_megabytes ?? null,
  has_statistics: organization?.has_statistics ?? true,
  has_statistics_poses: organization?.has_statistics_poses ?? false,
  third_parties: organization?.third_parties ?? ('specified' as const),
  tag_manager_id: organization?.tag_manager_id ?? '',
});

const privacyBodyOf = ({ audit_days, ...others }: ReturnType<typeof privacyDraftOf>) => ({
  audit_days: audit_days ?? undefined,
  ...others,
});

const schema = calls.organizations.update.body
  .pick({
    audit_days: true,
    shares_days: true,
    originals_megabytes: true,
    has_statistics: true,
    has_statistics_poses: true,
    third_parties: true,
    tag_manager_id: true,
  })
  .required();

/** Retention of personal data, statistics, third parties, and erasure on request. */
export const PrivacyScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() =>
    createOrganizationStore(session.client, { draftOf: privacyDraftOf, bodyOf: privacyBodyOf, schema }),
  );
  const [isErasing, setErasing] = useState(false);
  return (
    <>
      <SettingsForm
        title="Privacy"
        store={store}
        more={
          session.may('settings', 'delete') && (
            <Button variant="default" color="red" onClick={() => setErasing(true)}>
              Erase a person…
            </Button>
          )
        }
      >
        <Stack>
          <NumberInput
            label="Keep audit log (days)"
            description="30 to 3650. Older entries are removed every day."
            withAsterisk
            min={30}
            max={3650}
            maw={400}
            clampBehavior="none"
            {...number(store, 'audit_days')}
          />
          <NumberInput
            label="Keep visitors’ messages (days)"
            description="Older messages and their images are removed every day. Leave empty to keep them until removed."
            min={1}
            max={3650}
            maw={400}
            clampBehavior="none"
            {...number(store, 'shares_days')}
          />
          <NumberInput
            label="Keep original uploads up to (MB)"
            description="Originals contain metadata such as location; visitors never receive them. Leave empty to keep all, or enter 0 to keep none. Without its original, a new upload can’t be downloaded as it was sent."
            min={0}
            max={100000}
            maw={400}
            clampBehavior="none"
            {...number(store, 'originals_megabytes')}
          />
          <Switch
            label="Count visits"
            description="Without cookies or personal data. Visitors whose browser sends Do Not Track or Global Privacy Control are not counted."
            {...flag(store, 'has_statistics')}
          />
          <Switch
            label="Record positions (heat map)"
            description="Anonymous positions in spaces, kept for 30 days. Download them under Statistics, per structure."
            disabled={!store.draft.has_statistics}
            {...flag(store, 'has_statistics_poses')}
          />
          <Select
            label="Third-party content"
            description="YouTube, Vimeo, embedded pages and other content of other hosts in rooms. With “Ask visitors first”, nothing of it is requested until the visitor allows it. Content inside uploaded websites is not covered."
            data={[
              { value: 'specified', label: 'Load as specified' },
              { value: 'ask', label: 'Ask visitors first' },
            ]}
            maw={400}
            allowDeselect={false}
            {...option(store, 'third_parties')}
          />
          <TextInput
            label="Google Tag Manager"
            description="Container ID, such as GTM-ABC1234. Visitors’ pages then load this container, which reads the events in dataLayer. Leave empty for none."
            maxLength={16}
            maw={400}
            {...words(store, 'tag_manager_id')}
          />
          <Text>
            To remove something that a visitor shared, search by name or words among{' '}
            <Anchor component={Link} to="/admin/settings/shares" underline="always">
              visitors’ messages
            </Anchor>
            .
          </Text>
        </Stack>
      </SettingsForm>
      {isErasing && <ErasePerson onClose={() => setErasing(false)} />}
    </>
  );
});
