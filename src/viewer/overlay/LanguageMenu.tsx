import { directionOfTag, languageName, offeredLanguages } from '../../../engine/document/languages.ts';
import { Icon } from '../parts/Icon.tsx';
import { languageTag } from '../texts/say.ts';
import { say } from '../texts/say-all.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';
import menu from './menu.module.css';
import styles from './overlay.module.css';
import { writeView } from './use-address.ts';
import { useDropdown } from './use-dropdown.ts';

/** The languages of the room; hidden in rooms with fewer than two. */
export function LanguageMenu({ state, actions }: { state: VisitState; actions: VisitActions }) {
  const { root, isOpen, setOpen } = useDropdown<HTMLDivElement>();
  const { language, untranslated, room } = state.endpoint!;
  const { config } = room!;
  const languages = offeredLanguages(config);
  if (languages.length < 2 || state.isPreview) return null;
  const choose = (tag: string) => {
    setOpen(false);
    if (tag === language) return;
    // The room opens again where the visitor is.
    if (state.entered) writeView(state, actions);
    actions.chooseLanguage(tag);
  };
  return (
    <div ref={root}>
      <button
        type="button"
        className={styles.round}
        aria-label={say('language')}
        title={say('language')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="language" />
      </button>
      {isOpen && (
        <div className={menu.list} data-list>
          <ul aria-label={say('language')}>
            {languages.map((tag) => (
              <li key={tag}>
                <button
                  type="button"
                  aria-current={tag === language}
                  lang={tag}
                  dir={directionOfTag(tag)}
                  onClick={() => choose(tag)}
                >
                  {languageName(tag, tag)}
                </button>
              </li>
            ))}
          </ul>
          {untranslated !== undefined && config.language && (
            <p className={menu.hint}>{say('untranslated', { language: languageName(config.language, languageTag) })}</p>
          )}
        </div>
      )}
    </div>
  );
}
