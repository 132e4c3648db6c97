import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the clone. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const at = (...parts) => path.join(root, ...parts);
