import type { Element } from './element.ts';
import { traitsOf } from './traits-of.ts';

/** What may stand for a file, in the config of some type. */
interface SourceConfig {
  readonly module_video?: { readonly source_files: readonly { readonly link: string }[] } | null;
  readonly [setting: string]: unknown;
}

/**
 * Address of what an element shows or plays: the first that is given, in the order that its type has.
 * @returns an empty string where there is none
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
