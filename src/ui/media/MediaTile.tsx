import { Text, UnstyledButton } from '@mantine/core';
import {
  type Icon,
  IconFile,
  IconFileText,
  IconMusic,
  IconRun,
  IconSun,
  IconTypography,
  IconVideo,
  IconWorld,
} from '@tabler/icons-react';
import type { Media, MediaType } from '../../contract/entities.ts';
import tile from '../tile.module.css';
import { ModelPicture } from './ModelPicture.tsx';
import { thumbnailOf } from './media-kinds.ts';

/** Width of a tile's picture in CSS pixels, about. */
const TILE = 180;

const ICONS: Partial<Record<MediaType, Icon>> = {
  hdr: IconSun,
  audio: IconMusic,
  video: IconVideo,
  font: IconTypography,
  site: IconWorld,
  text_track: IconFileText,
  motion: IconRun,
};

const size = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const sizeOf = (bytes: number) =>
  bytes < 1e6 ? `${size.format(Math.max(0.1, bytes / 1e3))} kB` : `${size.format(bytes / 1e6)} MB`;

/** One file of the library. */
export function MediaTile({
  file,
  isChosen,
  onChoose,
  onOpen,
}: {
  file: Media;
  isChosen: boolean;
  onChoose(): void;
  /** A double click: chooses it and is done. */
  onOpen(): void;
}) {
  const KindIcon = ICONS[file.type] ?? IconFile;
  return (
    <UnstyledButton
      className={tile.tile}
      role="option"
      aria-selected={isChosen}
      onClick={onChoose}
      onDoubleClick={onOpen}
    >
      <span className={tile.picture}>
        {file.type === 'image' ? (
          <img {...thumbnailOf(file.url, TILE)} alt="" loading="lazy" decoding="async" />
        ) : file.type === 'object' ? (
          <ModelPicture file={file} />
        ) : (
          <KindIcon size={40} stroke={1.2} aria-hidden />
        )}
      </span>
      <Text span size="sm" truncate display="block">
        {file.name}
      </Text>
      <Text span size="xs" c="dimmed">
        {sizeOf(file.bytes)}
        {file.width && file.height ? ` · ${file.width}×${file.height}` : ''}
      </Text>
    </UnstyledButton>
  );
}
