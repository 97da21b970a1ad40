import { Option } from 'commander';

/** The structure option of access token commands. */
export const endpointOption = (): Option =>
  new Option('--endpoint <path>', 'public path of the structure, such as museum/hall, or its ID').makeOptionMandatory();
