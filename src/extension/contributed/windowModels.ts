/**
 * Models that only this window can use. They have no address, so other processes cannot reach them, and they get no
 * images.
 */
interface WindowModels {
  /**
   * Returns the owner of a model. What a run reads must only go to one owner. Absent if all models have the same owner.
   */
  ownerOf?(model: string): string;
}

/** Provider name → properties. */
const kinds: ReadonlyMap<string, WindowModels> = new Map([
  ['vscode', {}],
  // "publisher.extension/model"
  ['extension', { ownerOf: (model: string) => model.split('/')[0]! }],
]);

/** Returns undefined if the provider is a server. */
export const windowModels = (provider: string): WindowModels | undefined => kinds.get(provider);
