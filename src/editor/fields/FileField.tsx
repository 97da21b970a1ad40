import { observer } from 'mobx-react-lite';
import type { ByPath } from '../../../engine/document/field-paths.ts';
import { fileReference } from '../../../engine/document/fields.ts';
import type { Media, MediaType } from '../../contract/entities.ts';
import { MediaField } from '../../ui/media/MediaField.tsx';
import { showProblemText } from '../../ui/notifications.ts';
import { useDraft } from './contexts.ts';

/** The media file of an element. Derived fields are set immediately, so that the room shows it. */
export const FileField = observer(
  ({
    label = 'File',
    description,
    accept,
    also,
    problemOf,
  }: {
    label?: string;
    description?: string;
    accept: readonly [MediaType, ...MediaType[]];
    /** Further fields to set when a file is chosen. */
    also?(file: Media | null): ByPath;
    /** Why a file can't be used here; null if it can. */
    problemOf?(file: Media): string | null;
  }) => {
    const draft = useDraft();
    const { file } = draft.element;
    const choose = (chosen: Media | null) => {
      const problem = chosen && problemOf?.(chosen);
      if (problem) return showProblemText(problem);
      const reference = chosen && fileReference.parse(chosen);
      draft.set({
        file: reference,
        file_id: chosen?.id ?? null,
        'config.file_url': chosen?.url ?? '',
        ...also?.(chosen),
      });
    };
    return (
      <MediaField
        label={label}
        description={description}
        accept={accept}
        file={file}
        error={draft.errors.file_id}
        onChange={choose}
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
  }: {
    path: string;
    label: string;
    description?: string;
    accept: readonly [MediaType, ...MediaType[]];
  }) => {
    const draft = useDraft();
    const url = draft.get(path) as string;
    const name = decodeURIComponent(url.split(/[?#]/)[0]!.split('/').at(-1)!);
    return (
      <MediaField
        label={label}
        description={description}
        accept={accept}
        file={url ? { id: 0, name: name || url, url } : null}
        error={draft.errors[path]}
        onChange={(chosen) => draft.set({ [path]: chosen?.url ?? '' })}
      />
    );
  },
);
