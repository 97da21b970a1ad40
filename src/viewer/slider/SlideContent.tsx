import { alternativeOf, creditOf } from '../../../engine/document/alternative.ts';
import { copyUrl } from '../../../engine/document/copy-url.ts';
import type { Element } from '../../../engine/document/element.ts';
import { sourceOf } from '../../../engine/document/source.ts';
import { slideContentOf, slideTextOf } from '../../../engine/scene/events/slider.ts';
import { vimeoAddress, vimeoEventAddress } from '../../../engine/stage/media/vimeo.ts';
import { youtubeAddress } from '../../../engine/stage/media/youtube.ts';
import { framedPage } from '../../../engine/stage/rendering/frame.ts';
import { Icon } from '../parts/Icon.tsx';
import { Permitted } from '../parts/Permitted.tsx';
import { SafeHtml } from '../parts/SafeHtml.tsx';
import { say } from '../texts/say-all.ts';
import styles from './slider.module.css';

/** Thumbnail widths for visitors, in pixels, and the image types that have them. */
const WIDTHS = [245, 490] as const;
const PHOTO = /^\/media\/.*\.(?:jpe?g|png|webp)$/i;

const PLAYER = { controls: true, muted: false, loop: false, subtitles: '' };

/** Settings shown on a slide; each type has a subset. */
interface ShownConfig {
  zoomable?: boolean;
  body?: string;
  type?: string;
  id?: string;
  module_video?: { id: string } | null;
  thumb?: string;
  text_tracks?: readonly { link?: string; language: string }[];
}

/** URL of a platform's embedded player for a video or a broadcast; undefined for native playback. */
function playerAddress({ type, id: given = '', module_video }: ShownConfig): string | undefined {
  const id = module_video?.id || given;
  if (type === 'vimeo') return vimeoAddress(id, PLAYER);
  if (type === 'vimeo_live') return vimeoEventAddress(id);
  return type === 'youtube' || type === 'youtube_live' ? youtubeAddress(id, PLAYER) : undefined;
}

interface FilmProps {
  src: string;
  poster?: string;
  name: string;
  /** Subtitle URLs with languages. */
  tracks: readonly { src: string; language: string }[];
}

/** Video in a native player. */
function Film({ src, poster, name, tracks }: FilmProps) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: captions are added from the video's tracks, invisible to the rule.
    <video className={styles.picture} src={src} poster={poster} controls playsInline aria-label={name}>
      {tracks.map((track) => (
        <track key={track.src} kind="captions" src={track.src} srcLang={track.language} label={track.language} />
      ))}
    </video>
  );
}

function Picture({ element, onLook }: { element: Element; onLook(): void }) {
  const { file } = element;
  const address = sourceOf(element);
  // Stored files have thumbnails for small screens; larger ones load the original.
  const hasCopies = file?.url === address && PHOTO.test(address) && (file?.width ?? 0) > WIDTHS[1];
  const copies = hasCopies && [
    ...WIDTHS.map((width) => `${copyUrl(address, 'width', width)} ${width}w`),
    `${address} ${file!.width}w`,
  ];
  const picture = (
    <img
      className={styles.picture}
      src={address}
      {...(copies && { srcSet: copies.join(', '), sizes: '90vw' })}
      alt={alternativeOf(element)}
    />
  );
  if (!(element.config as ShownConfig).zoomable) return picture;
  return (
    <button type="button" className={styles.look} title={say('lookCloser')} onClick={onLook}>
      {picture}
      <span className={styles.sign}>
        <Icon name="enlarge" />
      </span>
    </button>
  );
}

/** A video or broadcast, in its platform's player if it has one. */
function Player({ element, name }: { element: Element; name: string }) {
  const config = element.config as ShownConfig;
  const player = playerAddress(config);
  if (player)
    return <iframe className={styles.page} src={player} allow="autoplay; fullscreen" allowFullScreen title={name} />;
  const film = sourceOf(element);
  const tracks = (config.text_tracks ?? []).flatMap(({ link, language }) => (link ? [{ src: link, language }] : []));
  return film ? <Film src={film} poster={config.thumb || undefined} name={name} tracks={tracks} /> : null;
}

function Page({ element, name }: { element: Element; name: string }) {
  const { address, sandbox } = framedPage(element);
  return address ? <iframe className={styles.page} src={address} sandbox={sandbox} title={name} /> : null;
}

/**
 * Visual content of a slide, above its text. Nothing for elements that only the room can show.
 * @param onLook called for a press on an image that visitors can look at closer
 */
export const SlideView = (props: { element: Element; onLook(): void }) => (
  <Permitted of={props.element}>
    <Shown {...props} />
  </Permitted>
);

function Shown({ element, onLook }: { element: Element; onLook(): void }) {
  const name = alternativeOf(element) || say('slide');
  switch (slideContentOf(element)) {
    case 'player':
      return <Player element={element} name={name} />;
    case 'picture':
      return <Picture element={element} onLook={onLook} />;
    case 'page_part':
      return <SafeHtml html={(element.config as ShownConfig).body ?? ''} />;
    case 'page':
      return <Page element={element} name={name} />;
    default:
      return null;
  }
}

/** Text of a slide; short text shows as a title. */
export function SlideWords({ element }: { element: Element }) {
  const { title, text } = slideTextOf(element);
  const source = creditOf(element);
  return (
    <>
      {title && <h2>{title}</h2>}
      {text && <p className={styles.text}>{text}</p>}
      {source && <p className={styles.source}>{source}</p>}
    </>
  );
}
