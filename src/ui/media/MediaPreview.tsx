import { Text } from '@mantine/core';
import type { Media } from '../../contract/entities.ts';
import { locale } from '../language/language.ts';
import { momentText } from '../moment-text.ts';
import tile from '../tile.module.css';
import { MediaPicture } from './MediaTile.tsx';
import classes from './media.module.css';
import { MEDIA_KINDS, thumbnailOf } from './media-kinds.ts';
import { sizeText } from './size-text.ts';

/** Width of the preview in CSS pixels. */
const PREVIEW = 400;

const seconds = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** A file, seen or heard. */
function Shown({ file }: { file: Media }) {
  const { type, url, name } = file;
  if (type === 'image')
    return <img className={classes.preview} {...thumbnailOf(url, PREVIEW)} alt={file.alt || `Preview of ${name}`} />;
  // biome-ignore lint/a11y/useMediaCaption: subtitles are files of their own.
  if (type === 'video') return <video className={classes.preview} src={url} controls preload="metadata" />;
  // biome-ignore lint/a11y/useMediaCaption: as above.
  if (type === 'audio') return <audio className={classes.player} src={url} controls preload="metadata" />;
  return (
    <span className={tile.picture}>
      <MediaPicture file={file} />
    </span>
  );
}

/** Preview and facts of a file. */
export function MediaPreview({ file }: { file: Media }) {
  const { type, mime, bytes, width, height, duration, uploaded_by, created_at, original } = file;
  const kind = MEDIA_KINDS[type].label.replace(/s$/, '');
  const facts: (readonly [string, string | false | undefined | null])[] = [
    ['Type', `${kind} (${mime})`],
    ['Size', sizeText(bytes)],
    ['Dimensions', width && height ? `${width} × ${height} pixels` : null],
    ['Duration', duration ? `${seconds.format(duration)} s` : null],
    ['Uploaded', `${momentText(created_at)}${uploaded_by ? ` by ${uploaded_by.name}` : ''}`],
    ['Original', original && `${original.name}, ${sizeText(original.bytes)}`],
  ];
  return (
    <>
      <Shown file={file} />
      <dl className={classes.facts}>
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <Text component="dt" size="sm" c="dimmed">
                  {label}
                </Text>
                <Text component="dd" size="sm">
                  {value}
                </Text>
              </div>
            ),
        )}
      </dl>
    </>
  );
}
