/**
 * Models that only this window can ask: they have no address, so that no other process reaches them, and pictures are
 * left out of what they read.
 */
interface WindowModels {
  /** To whom a model belongs, where what a run reads must go to nobody else; absent where all belong to one. */
  ownerOf?(model: string): string;
}

/** By the name of the way to get them. */
const kinds: ReadonlyMap<string, WindowModels> = new Map([
  ['vscode', {}],
  // "publisher.extension/model"
  ['extension', { ownerOf: (model: string) => model.split('/')[0]! }],
]);

/** Undefined where a server is asked. */
export const windowModels = (provider: string): WindowModels | undefined => kinds.get(provider);
