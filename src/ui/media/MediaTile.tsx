import { Text, UnstyledButton } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import {
  type Icon,
  IconBox,
  IconFile,
  IconFileText,
  IconMusic,
  IconRun,
  IconSun,
  IconTypography,
  IconVideo,
  IconWorld,
} from '@tabler/icons-react';
import { useContext, useEffect, useState } from 'react';
import { isSplats } from '../../../engine/document/splats.ts';
import type { Client } from '../../contract/client.ts';
import type { Media, MediaType } from '../../contract/entities.ts';
import { useClient } from '../client-context.ts';
import { useSession } from '../session/session-context.ts';
import tile from '../tile.module.css';
import { thumbnailOf } from './media-kinds.ts';
import { sizeText } from './size-text.ts';
import classes from './turntable.module.css';
import { type DrawTurntable, TurntableContext } from './turntable-context.ts';

/** Maximum size of a model to render, in bytes: larger ones take too much time and memory. */
const MAX_RENDERED_BYTES = 60 * 1024 * 1024;

/** Rendering results by URL, including failures. */
const drawn = new Map<string, Promise<string | null>>();
let last: Promise<unknown> = Promise.resolve();

async function drawNow(client: Client, draw: DrawTurntable, { id, url }: Media): Promise<string | null> {
  const sheet = await draw(url);
  if (!sheet) return null;
  const file = new File([sheet], 'turntable.webp');
  return (await client.media.drawTurntable({ params: { id }, body: { url }, files: { file } })).turntable_url;
}

/**
 * Renders a model's turntable sheet and stores it on the server: one at a time, once per page.
 * @returns sheet URL; null if rendering failed
 */
function turntableOf(client: Client, draw: DrawTurntable, file: Media): Promise<string | null> {
  const known = drawn.get(file.url);
  if (known) return known;
  const turn = last
    .then(() => (file.bytes > MAX_RENDERED_BYTES ? null : drawNow(client, draw, file)))
    .catch(() => null);
  last = turn;
  drawn.set(file.url, turn);
  return turn;
}

/** Image of a model, which turns while its tile is hovered or focused. */
function ModelPicture({ file }: { file: Media }) {
  const client = useClient();
  const draw = useContext(TurntableContext);
  const mayAdd = useSession().user?.policies.media.create === true;
  const [own, setOwn] = useState<string | null>(null);
  const { ref, entry } = useIntersection<HTMLSpanElement>();
  const url = file.turntable_url ?? own;
  const isWanted = url === null && mayAdd && !isSplats(file.url) && entry?.isIntersecting === true;
  useEffect(() => {
    if (!isWanted || !draw) return;
    let isCurrent = true;
    void turntableOf(client, draw, file).then((sheet) => {
      if (isCurrent && sheet) setOwn(sheet);
    });
    return () => {
      isCurrent = false;
    };
  }, [isWanted, draw, client, file]);
  return (
    <span ref={ref} className={classes.turntable}>
      {url ? <img src={url} alt="" loading="lazy" decoding="async" /> : <IconBox size={40} stroke={1.2} aria-hidden />}
    </span>
  );
}

/** Approximate tile width in CSS pixels. */
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

/** A file as an image, or as an icon of its type. */
export function MediaPicture({ file }: { file: Media }) {
  if (file.type === 'image') return <img {...thumbnailOf(file.url, TILE)} alt="" loading="lazy" decoding="async" />;
  if (file.type === 'object') return <ModelPicture key={file.url} file={file} />;
  const KindIcon = ICONS[file.type] ?? IconFile;
  return <KindIcon size={40} stroke={1.2} aria-hidden />;
}

/** Picture and name of a file. */
export const MediaFace = ({ file }: { file: Media }) => (
  <>
    <span className={tile.picture}>
      <MediaPicture file={file} />
    </span>
    <Text span size="sm" truncate display="block" title={file.name}>
      {file.title || file.name}
    </Text>
  </>
);

/** Size of a file, and of its image in pixels. */
export const MediaSize = ({ file: { bytes, width, height } }: { file: Media }) => (
  <Text span size="xs" c="dimmed">
    {sizeText(bytes)}
    {width && height ? ` · ${width}×${height}` : ''}
  </Text>
);

/** A file of the library. */
export function MediaTile({
  file,
  isChosen,
  onChoose,
  onOpen,
}: {
  file: Media;
  isChosen: boolean;
  onChoose(): void;
  /** Double click: chooses and closes. */
  onOpen(): void;
}) {
  return (
    <UnstyledButton
      className={tile.tile}
      role="option"
      aria-selected={isChosen}
      onClick={onChoose}
      onDoubleClick={onOpen}
    >
      <MediaFace file={file} />
      <MediaSize file={file} />
    </UnstyledButton>
  );
}
