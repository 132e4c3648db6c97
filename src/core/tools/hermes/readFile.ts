import * as z from 'zod';
import { adapted } from '../adapted';
import { readFile as readLines } from '../readFile';

const defaultLimit = 500;

export const readFile = adapted(readLines, {
  name: 'read_file',
  description: 'Read a text file with line numbers.',
  input: z.object({
    path: z.string(), offset: z.int().min(1).optional().describe('first line, default 1'), limit: z.int().min(1).max(2000).optional().describe(`lines, default ${defaultLimit}`),
  }),
  translate: ({ path, offset = 1, limit = defaultLimit }) => ({ path, from: offset, to: offset + limit - 1 }),
});
