import type { Element } from '../../../engine/document/element.ts';
import { languageName } from '../../../engine/document/languages.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { SubtitleSize, VisitActions, VisitState } from '../visit/visit-store.ts';
import menu from './menu.module.css';
import styles from './overlay.module.css';
import { useDropdown } from './use-dropdown.ts';

/** Subtitle settings of a video. Platform players (with a type) switch their own. */
interface SubtitleConfig {
  type?: string;
  text_tracks?: readonly { language: string }[];
  default_text_track?: string;
}

/** Language codes of an element's switchable subtitles. */
function languagesOf({ element, config }: Element): string[] {
  const { type = 'local', text_tracks = [] } = config as SubtitleConfig;
  const isSwitched = traitsOf(element).plays === 'film' && type === 'local';
  return isSwitched ? text_tracks.map(({ language }) => language).filter(Boolean) : [];
}

/** Language codes of all subtitles in a room, in order. */
const subtitleLanguages = (elements: readonly Element[]): string[] => elements.flatMap(languagesOf);

/** Default subtitle language of a room; empty for none. */
export function shownAtFirst(elements: readonly Element[]): string {
  for (const element of elements) {
    const { default_text_track: shown } = element.config as SubtitleConfig;
    const language = languagesOf(element).find((code) => code === shown);
    if (language) return language;
  }
  return '';
}

const SIZES = { small: 'sizeSmall', medium: 'sizeMedium', large: 'sizeLarge' } as const satisfies Record<
  SubtitleSize,
  string
>;

/** Subtitle language and size; hidden in rooms without subtitles. */
export function SubtitleMenu({ state, actions }: { state: VisitState; actions: VisitActions }) {
  const { root, isOpen, setOpen } = useDropdown<HTMLDivElement>();
  const elements = state.endpoint!.room!.elements;
  const languages = [...new Set([...subtitleLanguages(elements), ...state.streamLanguages])];
  if (languages.length === 0) return null;
  const { language, size } = state.subtitles ?? {};
  const shown = language ?? shownAtFirst(elements);
  return (
    <div ref={root}>
      <button
        type="button"
        className={styles.round}
        aria-label={say('subtitles')}
        title={say('subtitles')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="subtitles" />
      </button>
      {isOpen && (
        <div className={menu.list} data-list>
          <ul aria-label={say('subtitles')}>
            {['', ...languages].map((code) => (
              <li key={code}>
                <button
                  type="button"
                  aria-pressed={code === shown}
                  lang={code || undefined}
                  dir={code ? 'auto' : undefined}
                  onClick={() => actions.setSubtitles({ language: code })}
                >
                  {code ? languageName(code, code) : say('noSubtitles')}
                </button>
              </li>
            ))}
          </ul>
          <ul className={menu.sizes} aria-label={say('subtitleSize')}>
            {(Object.keys(SIZES) as SubtitleSize[]).map((each) => (
              <li key={each}>
                <button
                  type="button"
                  aria-pressed={each === (size ?? 'medium')}
                  onClick={() => actions.setSubtitles({ size: each })}
                >
                  {say(SIZES[each])}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
