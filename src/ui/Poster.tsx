import { IconBox } from '@tabler/icons-react';
import classes from './poster.module.css';

/** srcset for the server's thumbnails of an image; none for other URLs. */
const copiesOf = (url: string): string | undefined =>
  /^\/posters\/.+-640\.webp$/.test(url) ? `${url.replace(/640\.webp$/, '160.webp')} 160w, ${url} 640w` : undefined;

/** Image of a space, with a placeholder. @param width in pixels; the container's width if missing */
export function Poster({ url, width }: { url: string | null | undefined; width?: number }) {
  return (
    <div className={classes.poster} style={{ width: width ?? '100%' }} aria-hidden>
      {url ? (
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          width={640}
          height={360}
          // List rows need far smaller images than cards.
          {...(width && copiesOf(url) && { srcSet: copiesOf(url), sizes: `${width}px` })}
        />
      ) : (
        <IconBox stroke={1.2} />
      )}
    </div>
  );
}
