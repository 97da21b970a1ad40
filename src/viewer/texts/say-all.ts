import { en } from '../../contract/viewer-texts/en.ts';
import { learn, sayAny } from './say.ts';

learn(en);

/**
 * Words of the viewer.
 * @param values what is filled in for each `{name}`
 */
export const say = sayAny;
