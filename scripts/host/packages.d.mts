export function packagesMatchLock(root: string): boolean;
export function ensurePackages(root: string): Promise<void>;
