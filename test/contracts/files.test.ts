import { diskFiles } from '../../src/adapters/files/diskFiles';
import { temporaryWorkspace } from '../support/temporaryWorkspace';
import { filesContract } from './files.contract';

for (const holding of ['descriptor', 'verify'] as const) {
  if (holding === 'descriptor' && process.platform !== 'linux') continue;
  filesContract(`a disk, folders held by ${holding}`, async () => {
    const workspace = temporaryWorkspace();
    return {
      files: diskFiles({ folders: [workspace.root], holding }),
      place: async (path, bytes) => workspace.place(path, bytes),
      bytes: async (path) => workspace.bytes(path),
      remove: async (path) => workspace.remove(path),
      stop: async () => workspace.stop(),
    };
  });
}
