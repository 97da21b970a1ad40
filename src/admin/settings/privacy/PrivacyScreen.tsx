import { Anchor, Button, NumberInput, Stack, Switch, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { calls } from '../../../contract/calls.ts';
import type { Organization } from '../../../contract/entities.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { FormScreen } from '../../frame/FormScreen.tsx';
import { flag, number } from '../../frame/fields.ts';
import { createOrganizationStore, OWN } from '../organization-store.ts';
import { ErasePerson } from './ErasePerson.tsx';

/** Retention limits in days. */
interface PrivacyDraft {
  audit_days: number | null;
  shares_days: number | null;
  has_statistics: boolean;
  has_statistics_poses: boolean;
}

const privacyDraftOf = (organization: Organization | null): PrivacyDraft => ({
  audit_days: organization?.audit_days ?? null,
  shares_days: organization?.shares_days ?? null,
  has_statistics: organization?.has_statistics ?? true,
  has_statistics_poses: organization?.has_statistics_poses ?? false,
});

const privacyBodyOf = ({ audit_days, ...others }: PrivacyDraft) => ({
  audit_days: audit_days ?? undefined,
  ...others,
});

const schema = calls.organizations.update.body
  .pick({ audit_days: true, shares_days: true, has_statistics: true, has_statistics_poses: true })
  .required();

/** Retention of personal data, statistics, and erasure on request. */
export const PrivacyScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() =>
    createOrganizationStore(session.client, { draftOf: privacyDraftOf, bodyOf: privacyBodyOf, schema }),
  );
  const [isErasing, setErasing] = useState(false);
  return (
    <>
      <FormScreen
        title="Privacy"
        store={store}
        id={OWN}
        thing="settings"
        allowed={session.may('settings', 'view_any')}
        isLocked={!session.may('settings', 'update')}
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
          <Text>
            To remove something that a visitor shared, search by name or words among{' '}
            <Anchor component={Link} to="/admin/settings/shares" underline="always">
              visitors’ messages
            </Anchor>
            .
          </Text>
        </Stack>
      </FormScreen>
      {isErasing && <ErasePerson onClose={() => setErasing(false)} />}
    </>
  );
});
