import type { Owned } from '../../core/db/column-types.ts';

export interface LabelTable extends Owned {
  name: string;
  color: string;
  note: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    labels: LabelTable;
  }
}
