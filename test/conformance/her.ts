import { missing } from './support/conforms';
import { ids } from './support/ids';

describe('as in Hermes Agent', () => {
  for (const id of ids.HER) missing(id);
});
