import type { Element, ElementOf } from '../../../engine/document/element.ts';
import { slideTextOf } from '../../../engine/scene/events/slider.ts';
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

/** Address of a platform's player for a film or a broadcast; undefined where the browser plays it itself. */
function playerAddress({ element, config }: ElementOf<'video'> | ElementOf<'live_stream'>): string | undefined {
  const { type } = config;
  const id = (element === 'video' && config.module_video?.id) || config.id;
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
    // biome-ignore lint/a11y/useMediaCaption: the captions are those that the film has; the rule can't see them.
    <video className={styles.picture} src={src} poster={poster} controls playsInline aria-label={name}>
      {tracks.map((track) => (
        <track key={track.src} kind="captions" src={track.src} srcLang={track.language} label={track.language} />
      ))}
    </video>
  );
}

function Picture({ element }: { element: ElementOf<'image'> }) {
  const { config, file, name } = element;
  const address = config.file_url || file?.url;
  // What is kept as a file has small copies: small screens need no more, and the picture itself comes for larger ones.
  const hasCopies = file?.url === address && PHOTO.test(address ?? '') && (file?.width ?? 0) > WIDTHS[1];
  const copies = hasCopies && [
    ...WIDTHS.map((width) => `${address}?width=${width} ${width}w`),
    `${address} ${file!.width}w`,
  ];
  return (
    <img
      className={styles.picture}
      src={address}
      {...(copies && { srcSet: copies.join(', '), sizes: '90vw' })}
      alt={config.title || name}
    />
  );
}

/** What there is to look at on a slide; its words stand below. Nothing for what only the room can show. */
export function SlideView({ element }: { element: Element }) {
  const name = element.name || say('slide');
  switch (element.element) {
    case 'image':
      return <Picture element={element} />;
    case 'html':
    case 'rich_text':
      return <SafeHtml html={element.config.body} />;
    case 'iframe': {
      const { address, sandbox } = framedPage(element);
      return address ? <iframe className={styles.page} src={address} sandbox={sandbox} title={name} /> : null;
    }
    case 'native_video': {
      const { direct_url, src, file_url, module_video, thumb, text_tracks } = element.config;
      const tracks = text_tracks.map(({ link, language }) => ({ src: link, language }));
      const address = direct_url || src || file_url || element.file?.url || module_video?.source_files[0]?.link;
      return address ? <Film src={address} poster={thumb || undefined} name={name} tracks={tracks} /> : null;
    }
    case 'video':
    case 'live_stream': {
      const player = playerAddress(element);
      if (player)
        return (
          <iframe className={styles.page} src={player} allow="autoplay; fullscreen" allowFullScreen title={name} />
        );
      const { config, file } = element;
      const film =
        'src' in config ? config.src : config.file_url || file?.url || config.module_video?.source_files[0]?.link;
      return film ? <Film src={film} name={name} tracks={[]} /> : null;
    }
    default:
      return null;
  }
}

/** Author and date of a picture. */
const sourceOf = (element: Element): string =>
  element.element === 'image' ? [element.config.author, element.config.date].filter(Boolean).join(', ') : '';

/** Words of a slide: a short text stands as a title. */
export function SlideWords({ element }: { element: Element }) {
  const { title, text } = slideTextOf(element);
  const source = sourceOf(element);
  return (
    <>
      {title && <h2>{title}</h2>}
      {text && <p className={styles.text}>{text}</p>}
      {source && <p className={styles.source}>{source}</p>}
    </>
  );
}
