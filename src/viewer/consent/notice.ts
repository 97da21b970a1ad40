import type { ThirdParty, ThirdPartyUse } from '../../../engine/document/third-parties.ts';
import type { TextKey } from '../../contract/viewer-texts/en.ts';
import { say } from '../texts/say-all.ts';

const USES: Record<ThirdPartyUse, TextKey> = {
  video: 'usesVideo',
  page: 'usesPage',
  file: 'usesFile',
  tags: 'usesTags',
};

/** A third party and its uses, such as "YouTube (videos)". */
export const describeParty = ({ name, uses }: ThirdParty): string =>
  uses.length > 0 ? `${name} (${uses.map((use) => say(USES[use])).join(', ')})` : name;

/**
 * Asks whether third-party content may load.
 * @param isAtEntrance whether the room isn't entered yet: the notice is then part of the entrance, and either answer
 * enters the room
 * @returns closes the notice
 */
export function showNotice(
  parties: readonly ThirdParty[],
  isAtEntrance: boolean,
  answered: (isAllowed: boolean) => void,
): () => void {
  const entrance = document.getElementById('entrance')!;
  const notice = document.createElement('section');
  notice.id = 'consent';
  notice.tabIndex = -1;
  notice.ariaLabel = say('thirdParties');
  notice.classList.toggle('is-entrance', isAtEntrance);
  const words = document.createElement('p');
  words.role = 'status';
  const list = document.createElement('ul');
  for (const party of parties) list.appendChild(document.createElement('li')).textContent = describeParty(party);
  const answers = document.createElement('div');
  const close = () => {
    const hadFocus = notice.contains(document.activeElement);
    notice.remove();
    if (isAtEntrance) entrance.inert = false;
    document.documentElement.classList.remove('asks-consent');
    if (hadFocus) (isAtEntrance ? entrance : document.getElementById('room')!).focus({ preventScroll: true });
  };
  for (const isAllowed of [true, false]) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = say(isAllowed ? 'allow' : 'continueWithout');
    button.addEventListener('click', () => {
      close();
      answered(isAllowed);
      // The press also enters the room, so that sound may play.
      if (isAtEntrance) entrance.click();
    });
    answers.append(button);
  }
  notice.append(words, list, answers);
  if (isAtEntrance) {
    entrance.inert = true;
    document.documentElement.classList.add('asks-consent');
  }
  document.body.append(notice);
  // Screen readers announce changes of a status, not its initial text.
  requestAnimationFrame(() => {
    words.textContent = say('thirdPartyNotice');
  });
  // Not its first button: a visitor who presses Enter to enter the room hasn't agreed to anything.
  if (isAtEntrance) notice.focus();
  return close;
}
