import { Anchor, List, Stack, Text, Title } from '@mantine/core';
import { editorPath } from '../../../contract/editor-path.ts';
import type { Accessibility } from '../../../contract/entities.ts';
import { numberText } from '../../../ui/language/say.ts';
import { Loaded } from '../../frame/Loaded.tsx';
import { Quiet } from '../../frame/text.tsx';
import { useWholeCheck } from '../../frame/use-whole-check.ts';
import { countText } from '../../stores/list-store.ts';

/** Maximum number of listed spaces per kind of finding. */
const MAX_SPACES = 20;

function FindingsOfCode({ meaning, count, rooms }: Accessibility['findings'][number]) {
  return (
    <div>
      <Title order={3} size="h5">
        {meaning} ({numberText(count)})
      </Title>
      <List size="sm" mt={4}>
        {rooms.slice(0, MAX_SPACES).map((room) => (
          <List.Item key={room.id}>
            <Anchor href={editorPath(String(room.id), false) ?? ''} underline="always" size="sm">
              {room.name}
            </Anchor>
            : {numberText(room.count)}
          </List.Item>
        ))}
      </List>
      {rooms.length > MAX_SPACES && <Quiet>And {countText(rooms.length - MAX_SPACES, 'more spaces')}.</Quiet>}
    </div>
  );
}

/** What assistive technology can't present in the organization's spaces, by kind, with links to the spaces. */
export function Findings({ isAllowed }: { isAllowed: boolean }) {
  const found = useWholeCheck(({ accessibility }) => accessibility.findings(), isAllowed);
  if (!isAllowed) return <Quiet>You need the right to view spaces to see their findings.</Quiet>;
  return (
    <Loaded of={found} what="The findings">
      {({ findings, rooms_checked, rooms_total }) => (
        <Stack gap="md">
          <Quiet>
            {rooms_checked < rooms_total
              ? `Checked: the ${numberText(rooms_checked)} most recently changed of ${countText(rooms_total, 'spaces')}.`
              : `Checked: ${countText(rooms_total, 'spaces')}.`}{' '}
            The check in the editor leads to each element.
          </Quiet>
          {findings.length === 0 ? (
            <Text>Nothing found.</Text>
          ) : (
            findings.map((each) => <FindingsOfCode key={each.code} {...each} />)
          )}
        </Stack>
      )}
    </Loaded>
  );
}
