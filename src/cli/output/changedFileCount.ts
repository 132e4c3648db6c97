export const changedFileCount = (count: number): string => (count === 1 ? '1 changed file' : `${count} changed files`);
