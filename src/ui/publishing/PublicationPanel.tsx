import { Anchor, Button, CopyButton, Group, List, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import {
  IconCheck,
  IconClock,
  IconCopy,
  IconHistory,
  IconLink,
  IconWorldOff,
  IconWorldUpload,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import type { Publication, PublicationEntry, ShowingStructure } from '../../contract/entities.ts';
import { confirm } from '../confirmation/confirmation-store.ts';
import { locale } from '../language/language.ts';
import { momentText } from '../moment-text.ts';
import { useSession } from '../session/session-context.ts';
import type { PreviewLink, PublicationStore } from './publication-store.ts';
import classes from './publishing.module.css';
import { ScheduleFields } from './ScheduleFields.tsx';

/** Formats a date and time in a zone, with the zone's name. */
const momentIn = (stamp: string, zone: string): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(
    new Date(stamp),
  )}, ${zone}`;

/** Time, author and revision of a publication; also the revision's own time, if it is another minute. */
const factsOf = ({ at, zone, user, revision_name, revision_at }: PublicationEntry): string =>
  [
    zone === null ? momentText(at) : momentIn(at, zone),
    user && `by ${user.name}`,
    momentText(revision_at) !== momentText(at) && `as of ${momentText(revision_at)}`,
    revision_name && `“${revision_name}”`,
  ]
    .filter(Boolean)
    .join(' · ');

/** Changes since the last publication. */
function Changes({ publication: { changes, changes_count } }: { publication: Publication }) {
  if (changes_count === 0)
    return (
      <Text size="sm" c="dimmed">
        No changes since.
      </Text>
    );
  const left = changes_count - changes.length;
  return (
    <div>
      <Text size="sm" fw={500}>
        Changes since published: {changes_count}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
      <section className={classes.changes} aria-label="Changes since published" tabIndex={0}>
        <List size="sm" spacing={2}>
          {changes.map((sentence, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: changes can share a text and never reorder.
            <List.Item key={index}>{sentence}</List.Item>
          ))}
        </List>
        {left > 0 && (
          <Text size="sm" c="dimmed">
            And {left} more.
          </Text>
        )}
      </section>
    </div>
  );
}

/** Earlier publications, each with a button to publish it again. */
const Past = observer(({ store, onClose }: { store: PublicationStore; onClose(): void }) => {
  const back = async ({ revision_id }: PublicationEntry) => {
    if (await store.publish(revision_id)) onClose();
  };
  return (
    <Stack gap="xs" role="group" aria-label="Earlier publications">
      <ul className={classes.past}>
        {store.publication?.past.map((entry) => (
          <li key={entry.id}>
            <Text size="sm">{factsOf(entry)}</Text>
            <Button
              size="compact-sm"
              variant="default"
              loading={store.isBusy}
              aria-label={`Publish again: ${factsOf(entry)}`}
              onClick={() => void back(entry)}
            >
              Publish again
            </Button>
          </li>
        ))}
      </ul>
      <div>
        <Button size="xs" variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </Stack>
  );
});

function Link({ link: { url, expires_at } }: { link: PreviewLink }) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        className={classes.link}
        label="Preview link"
        description={`Anyone with this link sees the latest edits until ${momentText(expires_at)}.`}
        readOnly
        value={url}
        onFocus={(event) => event.target.select()}
      />
      <CopyButton value={url}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            onClick={copy}
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}

type Opened = 'schedule' | 'past' | null;

const Actions = observer(
  ({
    store,
    opened,
    onOpen,
    endpointId,
  }: {
    store: PublicationStore;
    opened: Opened;
    onOpen(opened: Opened): void;
    endpointId: number | undefined;
  }) => {
    const { publication, isBusy } = store;
    const toggle = (name: Opened) => onOpen(opened === name ? null : name);
    const unpublish = async () => {
      const yes = await confirm({
        title: 'Unpublish this space?',
        text: 'Structures that show the published version are closed to visitors until it is published again.',
        action: 'Unpublish',
        destroys: true,
      });
      if (yes) await store.unpublish();
    };
    return (
      <Group gap="xs">
        <Button
          size="xs"
          loading={isBusy}
          leftSection={<IconWorldUpload size={16} aria-hidden />}
          onClick={() => void store.publish()}
        >
          Publish now
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-expanded={opened === 'schedule'}
          leftSection={<IconClock size={16} aria-hidden />}
          onClick={() => toggle('schedule')}
        >
          Schedule…
        </Button>
        {publication && publication.past.length > 0 && (
          <Button
            size="xs"
            variant="default"
            aria-expanded={opened === 'past'}
            leftSection={<IconHistory size={16} aria-hidden />}
            onClick={() => toggle('past')}
          >
            Go back…
          </Button>
        )}
        {publication?.published && (
          <Button
            size="xs"
            variant="default"
            disabled={isBusy}
            leftSection={<IconWorldOff size={16} aria-hidden />}
            onClick={() => void unpublish()}
          >
            Unpublish
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          leftSection={<IconLink size={16} aria-hidden />}
          onClick={() => void store.makeLink(endpointId)}
        >
          Copy preview link
        </Button>
      </Group>
    );
  },
);

/**
 * What visitors see while nothing is published, as heading and text.
 * @param structures that show the space; null for one with the published version
 */
function unpublishedText(structures: readonly ShowingStructure[] | null): [heading: string, text: string] {
  if (structures === null || structures.some(({ shows }) => shows === 'published'))
    return ['Not published', 'Structures that show the published version are closed to visitors.'];
  return structures.length > 0
    ? ['Visitors see every edit', 'No structure shows a published version of this space.']
    : ['Not published', 'No structure shows this space. Add one under Structures to give it a URL.'];
}

/** Structures that show the space, with their URLs and modes. */
function Structures({ structures }: { structures: readonly ShowingStructure[] }) {
  const session = useSession();
  if (structures.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={500}>
        Shown by
      </Text>
      <ul className={classes.structures} aria-label="Structures">
        {structures.map(({ id, name, path, shows, is_visible, is_protected }) => (
          <li key={id}>
            <Anchor href={session.addressOf(path)} target="_blank" size="sm" title={name}>
              {session.addressOf(path).replace(/^https?:\/\//, '')}
            </Anchor>
            <Text size="sm" c="dimmed">
              {[
                shows === 'edited' ? 'Every edit' : 'Published version',
                !is_visible && 'hidden',
                is_protected && 'protected',
              ]
                .filter(Boolean)
                .join(', ')}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  );
}

const State = observer(
  ({ store, mayPublish, isListed }: { store: PublicationStore; mayPublish: boolean; isListed: boolean }) => {
    const { publication, isBusy } = store;
    if (!publication) return null;
    const { published, scheduled, structures } = publication;
    const [heading, text] = unpublishedText(isListed ? structures : null);
    return (
      <>
        {published ? (
          <Text size="sm">Published {factsOf(published)}</Text>
        ) : (
          <div>
            <Text size="sm" fw={600}>
              {heading}
            </Text>
            <Text size="sm">{text}</Text>
          </div>
        )}
        {scheduled && (
          <Group gap="xs">
            <Text size="sm">Scheduled for {factsOf(scheduled)}</Text>
            {mayPublish && (
              <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => void store.cancel()}>
                Cancel schedule
              </Button>
            )}
          </Group>
        )}
        {published && <Changes publication={publication} />}
        {isListed && <Structures structures={structures} />}
      </>
    );
  },
);

/** Publication of a space: status, changes since, and actions. */
export const PublicationPanel = observer(
  ({
    store,
    mayPublish,
    endpointId,
  }: {
    store: PublicationStore;
    mayPublish: boolean;
    /** Structure for preview links; the space's first one if missing. */
    endpointId?: number;
  }) => {
    const [opened, setOpened] = useState<Opened>(null);
    useEffect(() => void store.load(), [store]);
    if (store.hasFailed)
      return (
        <Stack align="flex-start" gap="xs" role="alert">
          <Text size="sm">The publication could not be loaded.</Text>
          <Button size="xs" variant="default" onClick={() => void store.load()}>
            Try again
          </Button>
        </Stack>
      );
    if (!store.publication)
      return (
        <Stack gap={6} role="status" aria-label="Loading">
          <Skeleton height={20} />
          <Skeleton height={36} />
        </Stack>
      );
    return (
      <Stack gap="sm">
        <State store={store} mayPublish={mayPublish} isListed={endpointId === undefined} />
        {mayPublish && <Actions store={store} opened={opened} onOpen={setOpened} endpointId={endpointId} />}
        {opened === 'schedule' && <ScheduleFields store={store} onClose={() => setOpened(null)} />}
        {opened === 'past' && <Past store={store} onClose={() => setOpened(null)} />}
        {store.link && <Link link={store.link} />}
      </Stack>
    );
  },
);
