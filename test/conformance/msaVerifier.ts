import { missing } from './support/conforms';
import { ids } from './support/ids';

describe('as in the fork of mini-swe-agent that asks for candidates', () => {
  for (const id of ids['MSA-V']) missing(id);
});
