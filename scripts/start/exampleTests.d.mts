export function runExampleTests(folder: string): { passed: number; failed: number };
