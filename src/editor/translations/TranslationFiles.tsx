import { Alert, Button, FileButton, Group, Menu, Text } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { TranslationPart, TranslationPlan } from '../../contract/entities.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showDone, showProblem } from '../../ui/notifications.ts';
import { saveFile } from '../../ui/save-file.ts';
import { labelAt } from '../fields/field-label.ts';
import { allSaved } from '../revisions/automatic-revisions.ts';
import { useEditor } from '../session/editor-context.ts';
import { nameOfElement } from '../session/element-names.ts';
import { MachineDrafts } from './MachineDrafts.tsx';

/** Maximum listed refusals. */
const MAX_SHOWN = 8;

const FORMATS = {
  xliff: { label: 'XLIFF 2.1', ending: 'xlf', type: 'application/xliff+xml' },
  csv: { label: 'CSV', ending: 'csv', type: 'text/csv' },
} as const;

/** A chosen file with its planned changes. */
interface Chosen {
  file: File;
  plan: TranslationPlan;
}

const PART_NAMES: Record<TranslationPart, string> = { structures: 'Structure', template: 'Template', files: 'File' };

const counted = (count: number) => `${count} ${count === 1 ? 'translation' : 'translations'}`;

/** Exports the texts for translators, imports their files after a preview of the changes, and drafts translations. */
export const TranslationFiles = observer(({ language }: { language: string }) => {
  const { client, document, roomId, saving } = useEditor();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [withFiles, setWithFiles] = useState(false);
  const params = { id: roomId };
  const work = async (act: () => Promise<void>) => {
    setBusy(true);
    try {
      if (await allSaved(saving)) await act();
    } catch (error) {
      showProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const download = (format: keyof typeof FORMATS) =>
    work(async () => {
      const { ending, type } = FORMATS[format];
      const parts = withFiles ? 'structures,template,files' : 'structures,template';
      const text = await client.translations.export({ params, query: { language, format, with: parts } });
      saveFile(`${document.room.title} ${language}.${ending}`, text, type);
    });
  const send = (file: File, apply: '0' | '1') =>
    client.translations.import({ params, body: { language, apply }, files: { file } });
  const choose = (file: File | null) => file && work(async () => setChosen({ file, plan: await send(file, '0') }));
  const apply = ({ file }: Chosen) =>
    work(async () => {
      const { counts } = await send(file, '1');
      await saving.follow();
      setChosen(null);
      showDone(`${counted(counts.changed)} imported. Undo it in “Changes by everybody”.`);
    });
  return (
    <>
      <Group gap="xs">
        <Menu>
          <Menu.Target>
            <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} loading={isBusy}>
              Export
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {(['xliff', 'csv'] as const).map((format) => (
              <Menu.Item key={format} onClick={() => void download(format)}>
                {FORMATS[format].label}
              </Menu.Item>
            ))}
            <Menu.CheckboxItem checked={withFiles} onChange={setWithFiles}>
              Include the texts of media files
            </Menu.CheckboxItem>
          </Menu.Dropdown>
        </Menu>
        {!document.isReadOnly && (
          <FileButton accept=".xlf,.xliff,.csv,.tsv,.xlsx" onChange={(file) => void choose(file)}>
            {(props) => (
              <Button {...props} size="xs" variant="default" leftSection={<IconUpload size={14} />} disabled={isBusy}>
                Import
              </Button>
            )}
          </FileButton>
        )}
        {!document.isReadOnly && <MachineDrafts language={language} />}
      </Group>
      {chosen && (
        <Alert
          w="100%"
          color={chosen.plan.counts.refused > 0 ? 'orange' : 'blue'}
          title={`“${chosen.file.name}” changes ${counted(chosen.plan.counts.changed)}`}
          withCloseButton
          closeButtonLabel="Cancel the import"
          onClose={() => setChosen(null)}
        >
          {chosen.plan.counts.refused > 0 && (
            <>
              <Text size="sm">{counted(chosen.plan.counts.refused)} will be left out:</Text>
              {chosen.plan.refused.slice(0, MAX_SHOWN).map(({ id, path, part, message }) => (
                <Text key={`${part} ${id} ${path}`} size="sm">
                  {part ? `${PART_NAMES[part]} ${id}` : nameOfElement(document.room, id)},{' '}
                  {labelAt(part ? `config.${path}` : path)}: {sayMessage(message)}
                </Text>
              ))}
              {chosen.plan.counts.refused > MAX_SHOWN && (
                <Text size="sm">And {chosen.plan.counts.refused - MAX_SHOWN} more.</Text>
              )}
            </>
          )}
          <Button
            mt="xs"
            size="xs"
            disabled={chosen.plan.counts.changed === 0}
            loading={isBusy}
            onClick={() => void apply(chosen)}
          >
            Import {counted(chosen.plan.counts.changed)}
          </Button>
        </Alert>
      )}
    </>
  );
});
