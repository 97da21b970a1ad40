import { Anchor, Select, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type ChangeEvent, useState } from 'react';
import { z } from 'zod';
import { calls } from '../../../contract/calls.ts';
import { NO_STATEMENT, type Organization, type Statement } from '../../../contract/entities.ts';
import { CONFORMANCE_PATH, OTHER_STATEMENT_PATH } from '../../../contract/statement-path.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { createOrganizationStore, SettingsForm } from '../SettingsForm.tsx';
import { Findings } from './Findings.tsx';

const statementDraftOf = (organization: Organization | null) => ({
  statement: organization?.statement ?? NO_STATEMENT,
});

const schema = z.object({ statement: calls.organizations.update.body.shape.statement });

const KINDS = [
  { value: 'none', label: 'None' },
  { value: 'public', label: 'Public sector body' },
  { value: 'private', label: 'Private service (European Accessibility Act)' },
];

type TextField = Exclude<keyof Statement, 'kind'>;

/** The accessibility statement, and the findings in the organization's spaces. */
export const AccessibilityScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() =>
    createOrganizationStore(session.client, {
      draftOf: statementDraftOf,
      bodyOf: (draft) => draft,
      schema,
    }),
  );
  const { statement } = store.draft;
  const field = (name: TextField) => ({
    name,
    value: statement[name],
    error: store.errors[`statement.${name}`]?.[0],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      store.set({ statement: { ...statement, [name]: currentTarget.value } }),
  });
  const isPublished = store.entry !== null && store.entry.statement.kind !== 'none';
  return (
    <SettingsForm title="Accessibility" store={store}>
      <Stack>
        <Select
          label="Accessibility statement"
          description="A page of your site at /accessibility, linked from rooms and their text pages."
          data={KINDS}
          maw={400}
          allowDeselect={false}
          name="kind"
          value={statement.kind}
          error={store.errors['statement.kind']?.[0]}
          onChange={(kind) => kind && store.set({ statement: { ...statement, kind: kind as Statement['kind'] } })}
        />
        <TextInput
          label="Legal name"
          description="Of the body or company. Leave empty to use the name of the organization."
          maxLength={255}
          {...field('body_name')}
        />
        <TextInput label="Contact e-mail" type="email" maxLength={254} maw={400} {...field('email')} />
        <TextInput label="Contact phone" type="tel" maxLength={64} maw={400} {...field('phone')} />
        <TextInput label="Contact form (URL)" maxLength={2048} {...field('contact_url')} />
        <TextInput
          label="Enforcement body"
          description="Of a public sector body; for a private service, the market surveillance authority."
          maxLength={255}
          {...field('enforcement_name')}
        />
        <TextInput label="Enforcement URL" maxLength={2048} {...field('enforcement_url')} />
        <Textarea
          label="Known limitations"
          description="One per line. Findings in published rooms and limits of the software are added automatically."
          autosize
          minRows={2}
          maxLength={5000}
          {...field('limitations')}
        />
        <TextInput label="Last review" type="date" maw={200} {...field('reviewed_on')} />
        <Text>
          {isPublished && (
            <>
              <Anchor href={session.addressOf(OTHER_STATEMENT_PATH)} target="_blank" rel="noopener" underline="always">
                Open the statement
              </Anchor>
              {' · '}
            </>
          )}
          <Anchor href={session.addressOf(CONFORMANCE_PATH)} target="_blank" rel="noopener" underline="always">
            Conformance report of the software
          </Anchor>
        </Text>
        <Title order={2} size="h4" mt="md">
          Findings in your spaces
        </Title>
        <Findings isAllowed={session.may('rooms', 'view_any')} />
      </Stack>
    </SettingsForm>
  );
});
