import { Option } from 'commander';

/** The structure that commands about access tokens are for. */
export const endpointOption = (): Option =>
  new Option('--endpoint <path>', 'public path of the structure, such as museum/hall, or its id').makeOptionMandatory();
