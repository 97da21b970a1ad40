import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { SubtitleSize, VisitActions, VisitState } from '../visit/visit-store.ts';
import menu from './menu.module.css';
import styles from './overlay.module.css';
import { nameOfLanguage, shownAtFirst, subtitleLanguages } from './subtitle-languages.ts';
import { useDropdown } from './use-dropdown.ts';

const SIZES = { small: 'sizeSmall', medium: 'sizeMedium', large: 'sizeLarge' } as const satisfies Record<
  SubtitleSize,
  string
>;

/** Subtitle language and size; hidden in rooms without subtitles. */
export function SubtitleMenu({ state, actions }: { state: VisitState; actions: VisitActions }) {
  const { root, isOpen, setOpen } = useDropdown<HTMLDivElement>();
  const elements = state.endpoint!.room!.elements;
  const languages = subtitleLanguages(elements);
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
                  {code ? nameOfLanguage(code) : say('noSubtitles')}
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
