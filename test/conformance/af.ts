import { missing } from './support/conforms';
import { ids } from './support/ids';

describe('as in AgentFoundation', () => {
  for (const id of ids.AF) missing(id);
});
