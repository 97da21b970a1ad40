import { textPath } from '../address/page-place.ts';
import { say } from '../texts/say-all.ts';

/** A link to the room's text page with the page's query, which names the language. It opens outside of embeds. */
export const TextPageLink = ({ isEmbed }: { isEmbed: boolean }) => (
  <a href={textPath()} target={isEmbed ? '_blank' : undefined}>
    {say('asText')}
  </a>
);
