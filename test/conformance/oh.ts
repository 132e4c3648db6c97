import { missing } from './support/conforms';
import { ids } from './support/ids';

describe('as in the OpenHands SDK', () => {
  for (const id of ids.OH) missing(id);
});
