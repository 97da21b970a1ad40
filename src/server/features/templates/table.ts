import type { Generated } from 'kysely';
import type { Json, Owned } from '../../core/db/column-types.ts';

export interface TemplateTable extends Owned {
  name: string;
  description: string;
  config: Json;
  model_type: string;
  hotspot_style: Generated<string>;
  font_color: string | null;
  /** Null for the color of the organization. */
  accent_color: Generated<string | null>;
  width: number;
  height: number;
  depth: number;
  file_id: number | null;
  /** 360° video, for 360° photos. */
  video_file_id: Generated<number | null>;
  background_file_id: number | null;
  hdr_file_id: number | null;
  font_file_id: number | null;
  logo_file_id: number | null;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    templates: TemplateTable;
  }
}
