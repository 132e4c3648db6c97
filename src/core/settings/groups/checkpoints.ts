import { setting } from '../setting';
import { integer } from '../value';

/** How long checkpoint copies of files are kept. */
export const checkpointSettings = {
  'checkpoints.days': setting({
    value: integer({ minimum: 1 }),
    default: 30,
    words:
      'Days for which the changes of a session can be undone. After that, Waymark deletes its copies of files. The copies are compressed and stay on this machine, in one place for all workspaces. Not copied: files over 25 MB, files that contain or usually contain secrets, such as `.env`, the content of `.git`, and folders that can be regenerated, such as `node_modules` and those with a `CACHEDIR.TAG`. In such regenerable folders, only files that a tool edits are copied.',
    flag: {
      name: '--checkpoint-days',
      argument: '<n>',
      words: 'days for which the changes of a run can be undone',
    },
  }),
  'checkpoints.megabytes': setting({
    value: integer({ minimum: 10 }),
    default: 2000,
    words:
      'Maximum megabytes of disk space for all copies of files. Beyond that, Waymark deletes the copies of the oldest sessions first, at most once a day.',
    flag: {
      name: '--checkpoint-megabytes',
      argument: '<n>',
      words: 'maximum megabytes of disk space for copies of files',
    },
  }),
};
