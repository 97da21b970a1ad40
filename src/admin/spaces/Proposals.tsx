import { Anchor, Button, Group, Input, Stack, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconGitPullRequest } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { editorPath } from '../../contract/editor-path.ts';
import type { Proposal } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { FormDialog } from '../frame/FormDialog.tsx';
import { useLoaded } from '../frame/Loaded.tsx';
import { Quiet, Tag } from '../frame/text.tsx';

/** Closed proposals listed besides the open ones. */
const MAX_LISTED = 20;

export const PROPOSALS_PATH = '/admin/spaces/proposals';

/** State of a proposal. */
export function ProposalState({ state }: Pick<Proposal, 'state'>) {
  if (state === 'open') return <Tag color="brass">Open</Tag>;
  return <Tag color="gray">{state === 'merged' ? 'Merged' : 'Discarded'}</Tag>;
}

/** Names a new proposal, then opens the editor on its content. */
function NewProposal({ roomId, onClose }: { roomId: number; onClose(): void }) {
  const { client } = useSession();
  return (
    <FormDialog
      title="Propose changes"
      initial={{ name: '', note: '' }}
      action="Open editor"
      isComplete={({ name }) => name.trim() !== ''}
      onClose={onClose}
      onSubmit={async (body) => {
        const { branch_id } = await client.proposals.create({ params: { id: roomId }, body });
        location.assign(editorPath(String(branch_id), false)!);
      }}
    >
      {({ draft, set, errors }) => (
        <>
          <Quiet>You edit a copy. The space stays as it is until the proposal is merged.</Quiet>
          <TextInput
            label="Name"
            withAsterisk
            maxLength={120}
            data-autofocus
            value={draft.name}
            error={errors.name?.[0]}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          />
          <Textarea
            label="Note"
            description="What changes, and why."
            autosize
            minRows={2}
            maxLength={5000}
            value={draft.note}
            error={errors.note?.[0]}
            onChange={({ currentTarget }) => set({ note: currentTarget.value })}
          />
        </>
      )}
    </FormDialog>
  );
}

/** The proposals of a space, as links, and a button to create one. */
export function Proposals({ roomId }: { roomId: number }) {
  const session = useSession();
  const [isNew, dialog] = useDisclosure();
  const { value } = useLoaded((client) => client.proposals.list({ query: { room_id: roomId, per_page: MAX_LISTED } }));
  if (!value) return null;
  return (
    <Input.Wrapper label="Proposals" labelElement="div">
      <Stack gap="xs" mt={4}>
        {value.data.map((proposal) => (
          <Group key={proposal.id} gap="xs">
            <ProposalState {...proposal} />
            <Anchor component={Link} to={`${PROPOSALS_PATH}/${proposal.id}`} size="sm">
              {proposal.name}
            </Anchor>
            <Quiet>
              {proposal.user?.name} · {momentText(proposal.at)}
            </Quiet>
          </Group>
        ))}
        {value.data.length === 0 && <Quiet>None yet. A proposal changes a copy, to be reviewed and merged.</Quiet>}
        {session.may('rooms', 'update') && (
          <div>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconGitPullRequest size={16} aria-hidden />}
              onClick={dialog.open}
            >
              Propose changes
            </Button>
          </div>
        )}
      </Stack>
      {isNew && <NewProposal roomId={roomId} onClose={dialog.close} />}
    </Input.Wrapper>
  );
}
