import { en } from '../../contract/viewer-texts/en.ts';
import { learn, sayAny } from './say.ts';

learn(en);

/**
 * Returns a text.
 * @param values values for `{name}` placeholders
 */
export const say = sayAny;
