import { Button, Menu, Text } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { TranslationDrafts } from '../../contract/entities.ts';
import { showDone, showNotification, showProblem } from '../../ui/notifications.ts';
import { allSaved } from '../revisions/automatic-revisions.ts';
import { useEditor } from '../session/editor-context.ts';
import { countStates, rowsOf } from './translation-rows.ts';

const texts = (count: number) => `${count} ${count === 1 ? 'text' : 'texts'}`;

function showResult({ counts: { drafted, refused, left } }: TranslationDrafts): void {
  const lines = [
    `${texts(drafted)} drafted. Visitors see a draft once it is confirmed.`,
    refused > 0 && `${texts(refused)} didn’t fit.`,
    left > 0 && `${texts(left)} left: draft again.`,
  ];
  (drafted > 0 ? showDone : showNotification)(lines.filter(Boolean).join(' '));
}

/** Drafts translations with the organization's translation webhook. */
export const MachineDrafts = observer(({ language }: { language: string }) => {
  const { client, document, roomId, saving } = useEditor();
  const [isBusy, setBusy] = useState(false);
  const { missing, outdated } = countStates(rowsOf(document.room, language));
  const draft = async (withOutdated: boolean) => {
    setBusy(true);
    try {
      if (!(await allSaved(saving))) return;
      const body = { language, outdated: withOutdated };
      const drafts = await client.translations.draft({ params: { id: roomId }, body });
      await saving.follow();
      showResult(drafts);
    } catch (error) {
      showProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconLanguage size={14} />}
          loading={isBusy}
          disabled={missing + outdated === 0}
        >
          Draft with machine translation
        </Button>
      </Menu.Target>
      <Menu.Dropdown maw={320}>
        <Menu.Item disabled={missing === 0} onClick={() => void draft(false)}>
          Missing texts ({missing})
        </Menu.Item>
        {outdated > 0 && (
          <Menu.Item onClick={() => void draft(true)}>
            Missing and outdated texts ({missing + outdated})
            <Text size="xs" c="dimmed">
              Until you confirm a draft, visitors see the original text.
            </Text>
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
});
