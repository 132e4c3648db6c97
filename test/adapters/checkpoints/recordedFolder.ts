import { strict as assert } from 'node:assert';
import path from 'node:path';
import { CheckpointStore } from '../../../src/adapters/checkpoints/checkpointStore';
import { SessionCheckpoints } from '../../../src/adapters/checkpoints/recording/sessionCheckpoints';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

/** A folder `work` whose changes are recorded by a run. A notice fails the test. */
export interface RecordedFolder {
  readonly place: TemporaryWorkspace;
  readonly store: CheckpointStore;
  readonly run: SessionCheckpoints;
  readonly log: string;
  /** Content of a file below `work`; undefined if it does not exist. */
  text(name: string): string | undefined;
  end(): Promise<void>;
}

/** `files`: initial content of `work`, by name. `more`: other options of the run. */
export function recordedFolder(
  files: Readonly<Record<string, string>>,
  more: Pick<ConstructorParameters<typeof SessionCheckpoints>[0], 'wroteOnlyInside' | 'hasProcesses'> = {},
): RecordedFolder {
  const place = temporaryWorkspace();
  for (const [name, text] of Object.entries(files)) place.place(`work/${name}`, text);
  const store = new CheckpointStore(place.at('state', 'checkpoints'));
  const log = place.at('state', 'run.waymark.jsonl');
  const run = new SessionCheckpoints({
    log,
    folders: [place.at('work')],
    store,
    resolve: (spelled) => path.resolve(place.at('work'), spelled),
    onNotice: (words) => assert.fail(words),
    ...more,
  });
  return {
    place,
    store,
    run,
    log,
    text: (name) => place.bytes(`work/${name}`)?.toString(),
    async end() {
      await run.dispose();
      store.dispose();
      place.stop();
    },
  };
}
