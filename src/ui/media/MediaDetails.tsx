import { Button, FileButton, Group, SimpleGrid, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { IconDownload, IconReplace } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { type Media, type MediaTexts, mediaTextsSchema } from '../../contract/entities.ts';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { useClient } from '../client-context.ts';
import { showProblem } from '../notifications.ts';
import { useSession } from '../session/session-context.ts';
import { TextTranslations } from '../TextTranslations.tsx';
import { downloadMedia } from './download-media.ts';
import { FileLoudness, LighterFile } from './LighterFile.tsx';
import { MediaPreview } from './MediaPreview.tsx';
import { MediaUses } from './MediaUses.tsx';
import { MediaVersions } from './MediaVersions.tsx';
import { MEDIA_KINDS } from './media-kinds.ts';
import { replaceMedia } from './replace-media.ts';
import { useWholeMedia } from './whole-media.ts';

type Draft = MediaTexts & { name: string };

const FIELDS: readonly (keyof Draft)[] = ['name', ...(Object.keys(mediaTextsSchema.shape) as (keyof MediaTexts)[])];
const draftOf = (file: Media) => Object.fromEntries(FIELDS.map((name) => [name, file[name] ?? ''])) as Draft;

interface FormProps {
  file: Media;
  onSaved(file: Media): void;
  onClose(): void;
}

/** Form for the name and the texts of a file. */
function MediaForm({ file, onSaved, onClose }: FormProps) {
  const client = useClient();
  const [draft, setDraft] = useState(() => draftOf(file));
  const [errors, setErrors] = useState<Messages>({});
  const [isSaving, setSaving] = useState(false);
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const textOf = (name: Exclude<keyof Draft, 'keywords'>, label: string, most: number) => ({
    label,
    maxLength: most,
    value: draft[name],
    error: errors[name]?.[0],
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    // The dialog may be inside another form.
    event.stopPropagation();
    setSaving(true);
    try {
      const changed = FIELDS.filter((name) => String(draft[name]) !== String(file[name] ?? ''));
      const body = Object.fromEntries(changed.map((name) => [name, draft[name]]));
      onSaved(await client.media.update({ params: { id: file.id }, body }));
      setErrors({});
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid') setErrors(error.msg);
      else showProblem(error);
    }
    setSaving(false);
  };
  const isImage = file.type === 'image';
  const isHeard = file.type === 'audio' || file.type === 'video';
  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          {isImage
            ? 'Filled in from the metadata of the image. New elements use these details; existing ones don’t change.'
            : `Used to search the library.${isHeard ? ' New elements use the transcript; existing ones don’t change.' : ' Elements don’t change.'}`}
          {file.details.credentials === true && ' The original contains Content Credentials (C2PA).'}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput {...textOf('name', 'File name', 255)} withAsterisk />
          <TextInput {...textOf('title', 'Title', 255)} />
          <TextInput {...textOf('creator', 'Creator', 255)} />
          <TextInput {...textOf('date', 'Date', 60)} />
        </SimpleGrid>
        <Textarea {...textOf('description', 'Description', 10_000)} autosize minRows={2} maxRows={6} />
        {isImage && (
          <>
            <Textarea {...textOf('alt', 'Alternative text', 1000)} autosize minRows={1} maxRows={4} />
            <Textarea
              {...textOf('long_description', 'Detailed description', 10_000)}
              autosize
              minRows={2}
              maxRows={8}
            />
          </>
        )}
        {isHeard && <Textarea {...textOf('transcript', 'Transcript', 50_000)} autosize minRows={2} maxRows={8} />}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput {...textOf('credit', 'Credit line', 255)} />
          <TextInput {...textOf('rights', 'Copyright', 2000)} />
        </SimpleGrid>
        <TagsInput
          label="Keywords"
          value={draft.keywords}
          error={errors.keywords?.[0]}
          onChange={(keywords) => set({ keywords })}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSaving}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Texts of a file that can be translated, with their maximum lengths. */
const TRANSLATED = [
  { name: 'title', label: 'Title', maxLength: 255 },
  { name: 'description', label: 'Description', maxLength: 10_000 },
  { name: 'alt', label: 'Alternative text', maxLength: 1000 },
  { name: 'long_description', label: 'Detailed description', maxLength: 10_000 },
  { name: 'transcript', label: 'Transcript', maxLength: 50_000 },
] as const;

/** Translations of the saved texts, on request. */
function MediaTranslations({
  file,
  isReadOnly,
  onChanged,
}: Pick<Props, 'file' | 'onChanged'> & { isReadOnly: boolean }) {
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  if (TRANSLATED.every(({ name }) => !file[name])) return null;
  if (!isOpen)
    return (
      <div>
        <Button variant="default" size="xs" onClick={() => setOpen(true)}>
          Translations
        </Button>
      </div>
    );
  return (
    <section aria-label="Translations">
      <TextTranslations
        fields={TRANSLATED.map((field) => ({ ...field, text: file[field.name] ?? '' }))}
        languages={[]}
        translations={file.translations}
        isReadOnly={isReadOnly}
        onSave={async (language, texts) =>
          onChanged(await client.media.translate({ params: { id: file.id }, body: { language, texts } }))
        }
      />
    </section>
  );
}

interface Props extends FormProps {
  /** Called when the content changed; the dialog stays open. */
  onChanged(file: Media): void;
}

/** Everything about a file: preview, facts, texts, uses and earlier versions. */
export function MediaDetails({ file, onSaved, onChanged, onClose }: Props) {
  const client = useClient();
  const session = useSession();
  const whole = useWholeMedia(file);
  const [isBusy, setBusy] = useState(false);
  const mayChange = session.may('media', 'create');
  const isOwn = file.uploaded_by !== null && file.uploaded_by.id === session.user?.id;
  const mayReplace = mayChange && (isOwn || session.may('media', 'delete'));
  const doBusy = async (work: () => Promise<void>) => {
    setBusy(true);
    await work().catch(showProblem);
    setBusy(false);
  };
  return (
    <Stack>
      <MediaPreview file={file} />
      <Group gap="xs">
        {mayReplace && (
          <FileButton
            accept={MEDIA_KINDS[file.type].endings.join(',')}
            onChange={(chosen) => chosen && void doBusy(() => replaceMedia(client, file, chosen, onChanged))}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconReplace size={16} aria-hidden />} loading={isBusy}>
                Replace…
              </Button>
            )}
          </FileButton>
        )}
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={isBusy}
          onClick={() => void doBusy(() => downloadMedia(client, file))}
        >
          {file.original ? 'Download original' : 'Download'}
        </Button>
      </Group>
      <MediaUses key={`uses ${file.url}`} id={file.id} />
      <FileLoudness file={file} onChanged={onChanged} />
      <LighterFile file={file} onChanged={onChanged} />
      <MediaVersions key={`versions ${file.url}`} file={file} onChanged={mayReplace ? onChanged : undefined} />
      {mayChange && whole && <MediaForm key={file.id} file={whole} onSaved={onSaved} onClose={onClose} />}
      {whole && (
        <MediaTranslations key={`translations ${file.id}`} file={whole} isReadOnly={!mayChange} onChanged={onChanged} />
      )}
    </Stack>
  );
}
