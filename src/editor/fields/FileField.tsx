import { observer } from 'mobx-react-lite';
import type { ByPath } from '../../../engine/document/field-paths.ts';
import type { Media, MediaType } from '../../contract/entities.ts';
import { MediaField } from '../../ui/media/MediaField.tsx';
import { useDraft } from './contexts.ts';

/** The media file of an element. Derived fields are set immediately, so that the room shows it. */
export const FileField = observer(
  ({
    label = 'File',
    description,
    accept,
    also,
  }: {
    label?: string;
    description?: string;
    accept: readonly [MediaType, ...MediaType[]];
    /** Further fields to set when a file is chosen. */
    also?(file: Media | null): ByPath;
  }) => {
    const draft = useDraft();
    const { file } = draft.element;
    const choose = (chosen: Media | null) => {
      const reference = chosen && {
        id: chosen.id,
        name: chosen.name,
        type: chosen.type,
        url: chosen.url,
        width: chosen.width ?? null,
        height: chosen.height ?? null,
        duration: chosen.duration ?? null,
      };
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
