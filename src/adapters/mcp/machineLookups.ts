import os from 'node:os';
import path from 'node:path';
import type { Lookups } from '../../core/mcp/interpolation';

/** Resolves `${…}` on this machine. */
export const machineLookups = (input: Lookups['input']): Lookups => ({
  variable: (name) => process.env[name],
  input,
  home: os.homedir(),
  separator: path.sep,
});
