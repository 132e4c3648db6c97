export function cacheFolder(): string;
export function once(folder: string, fill: (building: string) => void | Promise<void>): Promise<string>;
