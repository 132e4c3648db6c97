import { setting } from '../setting';
import { integer } from '../value';

/** How long checkpoint copies of files are kept. */
export const checkpointSettings = {
  'checkpoints.days': setting({
    value: integer({ minimum: 1 }),
    default: 30,
    words:
      'Days for which the changes of a session can be undone. After that its copies of files are deleted. They are kept on this machine, compressed, for all workspaces together. Not copied: files over 25 MB, files that hold secrets or usually do, such as `.env`, what Git keeps in `.git`, and folders that can be made again, such as `node_modules` and those with a `CACHEDIR.TAG`; in these, only files that a tool edits.',
    flag: {
      name: '--checkpoint-days',
      argument: '<n>',
      words: 'days for which the changes of runs can be undone',
    },
  }),
  'checkpoints.megabytes': setting({
    value: integer({ minimum: 10 }),
    default: 2000,
    words:
      'Megabytes that all copies of files may take on disk. Beyond that the copies of the oldest sessions are deleted first, at most once a day.',
    flag: {
      name: '--checkpoint-megabytes',
      argument: '<n>',
      words: 'megabytes that copies of files may take on disk',
    },
  }),
};
