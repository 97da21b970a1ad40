import { observer } from 'mobx-react-lite';
import type { ByPath } from '../../../engine/document/field-paths.ts';
import { fileReference } from '../../../engine/document/fields.ts';
import { captionOf, captionTranslations, type Media, type MediaType } from '../../contract/entities.ts';
import { useClient } from '../../ui/client-context.ts';
import { MediaField } from '../../ui/media/MediaField.tsx';
import { isShortened, wholeMedia } from '../../ui/media/whole-media.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useDraft } from './contexts.ts';

/** The texts of a chosen file with their translations, for fields of the element that are empty. */
function proposedTexts(file: Media, before: (path: string) => unknown): ByPath {
  const texts: ByPath = Object.fromEntries(
    Object.entries(captionOf(file))
      .map(([name, text]) => [`config.${name}`, text] as const)
      .filter(([path]) => before(path) === ''),
  );
  const translations = captionTranslations(file.translations, (path) => path in texts);
  for (const [key, translation] of Object.entries(translations)) texts[`config.translations.${key}`] = translation;
  return texts;
}

/** The media file of an element. Derived fields are set immediately, so that the room shows it. */
export const FileField = observer(
  ({
    label = 'File',
    description,
    accept,
    describes = false,
    also,
    problemOf,
  }: {
    label?: string;
    description?: string;
    accept: readonly [MediaType, ...MediaType[]];
    /** Whether the texts of the file are proposed for the element. */
    describes?: boolean;
    /** Further fields to set when a file is chosen. */
    also?(file: Media | null): ByPath;
    /** Why a file can't be used here; null if it can. */
    problemOf?(file: Media): string | null;
  }) => {
    const draft = useDraft();
    const client = useClient();
    const { file } = draft.element;
    const choose = async (listed: Media | null) => {
      const chosen = describes && listed && isShortened(listed) ? await wholeMedia(client, listed) : listed;
      const reference = chosen && fileReference.parse(chosen);
      draft.set({
        file: reference,
        file_id: chosen?.id ?? null,
        'config.file_url': chosen?.url ?? '',
        ...(describes && chosen && proposedTexts(chosen, (path) => draft.get(path))),
        ...also?.(chosen),
      });
    };
    return (
      <MediaField
        label={label}
        description={description}
        accept={accept}
        file={file}
        problemOf={problemOf}
        error={draft.errors.file_id}
        onChange={(chosen) => void choose(chosen).catch(showProblem)}
      />
    );
  },
);

/** A media file that the document references only by URL. */
export const UrlFileField = observer(
  ({
    path,
    label,
    description,
    accept,
    problemOf,
  }: {
    path: string;
    label: string;
    description?: string;
    accept: readonly [MediaType, ...MediaType[]];
    problemOf?(file: Media): string | null;
  }) => {
    const draft = useDraft();
    const url = draft.get(path) as string;
    const name = decodeURIComponent(url.split(/[?#]/)[0]!.split('/').at(-1)!);
    return (
      <MediaField
        label={label}
        description={description}
        accept={accept}
        problemOf={problemOf}
        file={url ? { id: 0, name: name || url, url } : null}
        error={draft.errors[path]}
        onChange={(chosen) => draft.set({ [path]: chosen?.url ?? '' })}
      />
    );
  },
);
