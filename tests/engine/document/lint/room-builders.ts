import type { LintCode } from '../../../../engine/document/lint/codes.ts';

/** A room that makes the linter speak: the code, where it says it, and of which element. */
export interface Case {
  name: string;
  code: LintCode;
  path: string;
  id?: number;
  input: unknown;
  /** Other codes above a note that the same room must give. */
  also?: LintCode[];
}

export const room = (fields: object, ...elements: object[]) => ({ id: 1, title: 'Hall', ...fields, elements });

export const element = (type: string, id: number, fields: object = {}, ...children: object[]) => ({
  id,
  element: type,
  ...fields,
  ...(children.length > 0 && { children }),
});

/** Fields of an element with a link. */
export const link = (type: string, type_config: object = {}) => ({ config: { navigation: { type, type_config } } });

export const corner = (type: string, type_config: object = {}) => ({ name: 'Go', navigation: { type, type_config } });
export const file = (duration?: number) => ({ file: { id: 1, name: 'a', type: 'audio', url: '/a', duration } });
export const config = (settings: object) => ({ config: settings });
export const button = (type: string, type_config: object = {}) =>
  room({}, element('button', 1, link(type, type_config)));
export const lights = (count: number, settings: object = {}) =>
  Array.from({ length: count }, (_, index) => element('light', index + 1, config(settings)));
export const spot = (element_id: number | null, light_type = 'spot_light') =>
  config({ light_type, target: { type: 'Element', element_id } });
export const group = (fields: object, ...children: object[]) => element('group', 1, fields, ...children);

export const settings = 'elements[0].config';
export const target = `${settings}.navigation.type_config`;
