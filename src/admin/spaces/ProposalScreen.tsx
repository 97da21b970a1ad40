import { Anchor, Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconBox, IconGitMerge } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { Link } from 'react-router-dom';
import { editorPath } from '../../contract/editor-path.ts';
import type { ProposalReview } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showDone, showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { useIdParam } from '../frame/FormScreen.tsx';
import { Loaded, useLoaded } from '../frame/Loaded.tsx';
import { Screen } from '../frame/Screen.tsx';
import { Section } from '../frame/Section.tsx';
import { Quiet, Tag } from '../frame/text.tsx';
import { usePoster } from '../frame/use-poster.ts';
import { countText } from '../stores/list-store.ts';
import { ProposalState } from './Proposals.tsx';
import { SPACES } from './spaces.tsx';

/** The rendering of a space. */
function Rendering({ id, label }: { id: number; label: string }) {
  const { client } = useSession();
  const read = useCallback(() => client.rooms.readPoster({ params: { id } }), [client, id]);
  const { poster } = usePoster(read, new Date().toISOString());
  return (
    <figure style={{ margin: 0 }}>
      <Poster url={poster?.small_url} />
      <Text component="figcaption" size="sm" c="dimmed" mt={4}>
        {label}
      </Text>
    </figure>
  );
}

/** Who created a proposal and, if it is closed, who closed it. */
function Facts({ proposal: { user, at, is_agent, state, closed_by, closed_at } }: { proposal: ProposalReview }) {
  const by = user?.name ?? 'the server';
  return (
    <>
      <Quiet>
        {is_agent ? `Created by an agent of ${by}, ${momentText(at)}` : `Created by ${by}, ${momentText(at)}`}
      </Quiet>
      {closed_at && state === 'merged' && (
        <Quiet>
          Merged by {closed_by}, {momentText(closed_at)}
        </Quiet>
      )}
      {closed_at && state === 'discarded' && (
        <Quiet>
          Discarded by {closed_by}, {momentText(closed_at)}
        </Quiet>
      )}
    </>
  );
}

/** The changes of an open proposal, which can be left out one by one, and what to do with it. */
function Review({ proposal, reload }: { proposal: ProposalReview; reload(): Promise<void> }) {
  const session = useSession();
  const { client } = session;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const { id, changes, seq, branch_seq, branch_id } = proposal;
  const taken = changes.filter(({ key }) => !left.has(key));
  const conflicts = changes.filter(({ is_conflict }) => is_conflict).length;
  const mayMerge = session.may('rooms', 'update');
  const take = (key: string, isTaken: boolean) =>
    setLeft((before) => {
      const after = new Set(before);
      if (isTaken) after.delete(key);
      else after.add(key);
      return after;
    });
  const run = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await work();
      showDone(done);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showProblem(error);
    } finally {
      setBusy(false);
    }
    // After a refusal, too: the changes may be others now.
    await reload();
  };
  const merge = () =>
    run(
      () =>
        client.proposals.merge({
          params: { id },
          body: { seq, without: [...left], ...(branch_seq !== null && { branch_seq }) },
        }),
      'The proposal has been merged.',
    );
  const discard = async () => {
    const yes = await confirm({
      title: 'Are you sure you want to discard this proposal?',
      text: 'Its content will be deleted. The space stays as it is.',
      action: 'Discard',
    });
    if (yes) await run(() => client.proposals.discard({ params: { id } }), 'The proposal has been discarded.');
  };
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Rendering id={proposal.room_id} label="The space now" />
        <Rendering id={branch_id!} label="The proposal" />
      </SimpleGrid>
      <Section title="Changes">
        {changes.length === 0 && <Quiet>The proposal changes nothing yet.</Quiet>}
        {conflicts > 0 && (
          <Text size="sm">
            Someone has changed the space at the places marked “Conflict” since. Select a change to use the proposal’s
            version there; otherwise the space keeps its own.
          </Text>
        )}
        <Stack gap="xs" role="group" aria-label="Changes">
          {changes.map(({ key, text, is_conflict }) => (
            <Group key={key} gap="xs" wrap="nowrap" align="flex-start">
              <Checkbox
                label={text}
                checked={!left.has(key)}
                disabled={!mayMerge || key.endsWith(' order')}
                onChange={({ currentTarget }) => take(key, currentTarget.checked)}
              />
              {is_conflict && <Tag color="red">Conflict</Tag>}
            </Group>
          ))}
        </Stack>
        {mayMerge && (
          <Group justify="space-between">
            <Group gap="sm">
              <Button
                loading={isBusy}
                disabled={taken.length === 0}
                leftSection={<IconGitMerge size={18} aria-hidden />}
                onClick={() => void merge().catch(showProblem)}
              >
                Merge {countText(taken.length, 'changes')}
              </Button>
              {left.size > 0 && <Quiet>{countText(left.size, 'changes')} left out</Quiet>}
            </Group>
            <Button variant="subtle" color="red" onClick={() => void discard().catch(showProblem)}>
              Discard
            </Button>
          </Group>
        )}
      </Section>
    </>
  );
}

/** Review of a proposal: its changes, to merge or discard them. */
export function ProposalScreen() {
  const session = useSession();
  const id = useIdParam();
  const mayView = session.may('rooms', 'view_any');
  const loaded = useLoaded((client) => client.proposals.read({ params: { id: id! } }), mayView && id !== null);
  const proposal = loaded.value;
  return (
    <Screen
      title={proposal?.name ?? 'Proposal'}
      back={proposal ? `${SPACES.path}/${proposal.room_id}` : SPACES.path}
      allowed={mayView}
      narrow
      action={
        proposal?.branch_id && (
          <Button
            component="a"
            href={editorPath(String(proposal.branch_id), false)!}
            variant="light"
            leftSection={<IconBox size={16} aria-hidden />}
          >
            Open editor
          </Button>
        )
      }
    >
      <Loaded of={loaded} what="The proposal">
        {(found) => (
          <>
            <Group gap="xs">
              <ProposalState {...found} />
              <Anchor component={Link} to={`${SPACES.path}/${found.room_id}`} size="sm">
                {found.room_title}
              </Anchor>
              <Facts proposal={found} />
            </Group>
            {found.note && <Text style={{ whiteSpace: 'pre-wrap' }}>{found.note}</Text>}
            {found.state === 'open' && (
              <Review key={`${found.seq} ${found.branch_seq}`} proposal={found} reload={loaded.load} />
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
}
