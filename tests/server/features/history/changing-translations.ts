import { formOf } from '../../../harness/api-app.ts';
import type { Fixture, Request, Said } from './changing-requests.ts';

const fileOf = (id: string, text: string) => ({
  field: 'file',
  name: 'nl.csv',
  content: new Blob([`id,text,translation\n${id},${text},Zaal`]),
});

/** The same for translations. */
export const changingTranslations: Record<
  string,
  (fixture: Fixture) => { right: Request; wrong: Request; said: Said }
> = {
  'translations.import': ({ room }) => {
    const form = formOf({ language: 'nl', apply: '1' }, fileOf('space.title', 'Hall'));
    return {
      right: { params: { id: room }, form },
      wrong: { params: { id: 999_999 }, form },
      said: { action: 'update', entity: 'room' },
    };
  },
  'endpoints.translate': ({ endpoint }) => {
    const body = { language: 'nl', texts: { name: 'Een' } };
    return {
      right: { params: { id: endpoint }, body },
      wrong: { params: { id: 999_999 }, body },
      said: { action: 'update', entity: 'endpoint' },
    };
  },
  'endpoints.importTranslations': ({ endpoint }) => {
    const form = formOf({ language: 'nl', apply: '1' }, fileOf(`structure-${endpoint}.name`, 'One'));
    return {
      right: { params: { id: endpoint }, form },
      wrong: { params: { id: 999_999 }, form },
      said: { action: 'update', entity: 'endpoint' },
    };
  },
};
