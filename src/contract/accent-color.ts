/** Something with an accent color of its own, or none. */
interface Colored {
  accent_color: string | null;
}

/** What an accent color is inherited from, and the color; null for the built-in one. */
export interface Accent {
  from: 'structure' | 'template' | 'organization';
  color: string | null;
}

/**
 * The accent color of a visitors' page: the structure's own, otherwise that of its space's template, otherwise the
 * organization's. Before admission, the space is missing.
 */
export function accentOf(
  organization: Colored,
  structure?: (Colored & { room?: { template: Colored | null } | null }) | null,
): Accent {
  if (structure?.accent_color) return { from: 'structure', color: structure.accent_color };
  const template = structure?.room?.template?.accent_color;
  if (template) return { from: 'template', color: template };
  return { from: 'organization', color: organization.accent_color };
}
