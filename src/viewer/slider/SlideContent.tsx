import type { Element } from '../../../engine/document/element.ts';
import { sourceOf } from '../../../engine/document/source.ts';
import { slideContentOf, slideTextOf } from '../../../engine/scene/events/slider.ts';
import { vimeoAddress, vimeoEventAddress } from '../../../engine/stage/media/vimeo.ts';
import { youtubeAddress } from '../../../engine/stage/media/youtube.ts';
import { framedPage } from '../../../engine/stage/rendering/frame.ts';
import { SafeHtml } from '../parts/SafeHtml.tsx';
import { say } from '../texts/say-all.ts';
import styles from './slider.module.css';

/** Widths of the small copies of pictures that visitors are given, in pixels, and which pictures have them. */
const WIDTHS = [245, 490] as const;
const PHOTO = /^\/media\/.*\.(?:jpe?g|png|webp)$/i;

const PLAYER = { controls: true, muted: false, loop: false, subtitles: '' };

/** The settings that a slide shows; each type has some of them. */
interface ShownConfig {
  title?: string;
  author?: string;
  date?: string;
  body?: string;
  type?: string;
  id?: string;
  module_video?: { id: string } | null;
  thumb?: string;
  text_tracks?: readonly { link?: string; language: string }[];
}

/** Address of a platform's player for a film or a broadcast; undefined where the browser plays it itself. */
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
  /** Subtitles: addresses with their languages. */
  tracks: readonly { src: string; language: string }[];
}

/** A film in the browser's own player. */
function Film({ src, poster, name, tracks }: FilmProps) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: the captions are those that the film has; the rule cannot see them.
    <video className={styles.picture} src={src} poster={poster} controls playsInline aria-label={name}>
      {tracks.map((track) => (
        <track key={track.src} kind="captions" src={track.src} srcLang={track.language} label={track.language} />
      ))}
    </video>
  );
}

function Picture({ element }: { element: Element }) {
  const { file, name } = element;
  const { title } = element.config as ShownConfig;
  const address = sourceOf(element);
  // What is kept as a file has small copies: small screens need no more, and the picture itself comes for larger ones.
  const hasCopies = file?.url === address && PHOTO.test(address) && (file?.width ?? 0) > WIDTHS[1];
  const copies = hasCopies && [
    ...WIDTHS.map((width) => `${address}?width=${width} ${width}w`),
    `${address} ${file!.width}w`,
  ];
  return (
    <img
      className={styles.picture}
      src={address}
      {...(copies && { srcSet: copies.join(', '), sizes: '90vw' })}
      alt={title || name}
    />
  );
}

/** A film or a broadcast: in its platform's player where it has one. */
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

/** What there is to look at on a slide; its words stand below. Nothing for what only the room can show. */
export function SlideView({ element }: { element: Element }) {
  const name = element.name || say('slide');
  switch (slideContentOf(element)) {
    case 'player':
      return <Player element={element} name={name} />;
    case 'picture':
      return <Picture element={element} />;
    case 'page_part':
      return <SafeHtml html={(element.config as ShownConfig).body ?? ''} />;
    case 'page':
      return <Page element={element} name={name} />;
    default:
      return null;
  }
}

/** Author and date of a picture. */
function creditOf({ config }: Element): string {
  const { author, date } = config as ShownConfig;
  return [author, date].filter(Boolean).join(', ');
}

/** Words of a slide: a short text stands as a title. */
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
