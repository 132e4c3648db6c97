export function bundleText(folder: string): string;
