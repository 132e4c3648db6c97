import { ripgrepSearch } from '../../src/adapters/search/ripgrep';
import { temporaryWorkspace } from '../support/temporaryWorkspace';
import { searchContract } from './search.contract';

searchContract('ripgrep', async () => {
  const workspace = temporaryWorkspace();
  return {
    search: ripgrepSearch({ folders: [workspace.root] }),
    place: async (path, bytes) => workspace.place(path, bytes),
    stop: async () => workspace.stop(),
  };
});
