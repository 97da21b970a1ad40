import type { Element } from './element.ts';
import { traitsOf } from './traits-of.ts';

/** Config fields that can hold a source. */
interface SourceConfig {
  readonly module_video?: { readonly source_files: readonly { readonly link: string }[] } | null;
  readonly [setting: string]: unknown;
}

/**
 * The URL that an element shows or plays: the first one set, in its type's order of precedence.
 * @returns an empty string if there is none
 */
export function sourceOf({ element, config, file }: Pick<Element, 'element' | 'config' | 'file'>): string {
  const given = config as SourceConfig;
  for (const place of traitsOf(element).sources ?? []) {
    const address =
      place === 'file'
        ? file?.url
        : place === 'module_video'
          ? given.module_video?.source_files[0]?.link
          : given[place];
    if (typeof address === 'string' && address) return address;
  }
  return '';
}
