import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { SkillFiles } from '../../../src/adapters/skills/skillFiles';
import { SkillReviews } from '../../../src/adapters/skills/skillReviews';
import { personaNamed } from '../../../src/core/skills/personaNamed';
import { undecidedActions } from '../../../src/core/log/openActions';
import { editFile } from '../../../src/core/tools/native/editFile';
import { finish } from '../../../src/core/tools/native/finish';
import { shownToPeople } from '../../../src/core/text/shownName';
import { begin, call, plays, says } from '../../core/agent/story';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';
import { section } from './incident';
import { untouched } from '../../support/toolContext';

const persona = (tools: string): string => `---\ndescription: Looks.\ntools: [${tools}]\n---\nYou look.\n`;

// Found by attacking Waymark itself.
section('Reviewed files', 'lookedAt.ts', (declare) => {
  declare(
    {
      row: 80,
      id: 'Waymark: personas',
      happened:
        'A file in `.agent/personas` became a rule of every session, and its name drew icons and reversed lines in lists.',
      protects:
        'Such a file is a persona, which can only restrict. A changed one waits for review, and names are escaped.',
    },
    {
      'does not apply to a whole session, waits after a change, and is shown escaped': async () => {
        const workspace = temporaryWorkspace('work');
        try {
          const places = { folders: [workspace.root], home: workspace.at('nobody') };
          const skills = (): SkillFiles => new SkillFiles(places, new SkillReviews(workspace.at('../reviews')));
          const name = '\u202Elooker $(verified)';
          workspace.place(`.agent/personas/${name}.md`, persona('readOnly'));
          assert.deepEqual(
            (await skills().listUsed('')).map(({ kind }) => kind),
            ['persona'],
          );
          assert.equal(shownToPeople(name), '"\\u202elooker \\u0024(verified)"');
          workspace.place(`.agent/personas/${name}.md`, persona('readOnly, run_command'));
          await assert.rejects(personaNamed(name, skills(), ''), /It has changed since it was last used/);
        } finally {
          workspace.stop();
        }
      },
    },
  );
  declare(
    {
      row: 81,
      id: 'Waymark: an edit of changed content',
      happened:
        'A person approved an edit of a file that the model had never read. While the question waited, the file changed, and the new content was edited.',
      protects:
        'An approval of such an edit is bound to the content that was shown. For any other content Waymark asks again.',
    },
    {
      'writes nothing to a file that changed after it was shown': async () => {
        const workspace = temporaryWorkspace();
        try {
          workspace.place('list.txt', 'names:\n  ada\n');
          const edit = { path: 'list.txt', edits: [{ old_text: 'names:\n', new_text: 'names:\n  eve\n' }] };
          const environment = {
            root: workspace.root,
            files: diskFiles({ folders: [workspace.root] }),
            search: untouched.search,
            terminal: untouched.terminal,
          };
          const story = plays(says('', call('edit_file', edit, 'edit')), says('bye'));
          const conversation = begin(story, {
            parts: { tools: [editFile, finish], environment },
            first: { cwd: workspace.root, confirmation: 'always' },
          });
          await conversation.go();
          const others = 'may publish without a question:\nnames:\n  ada\n';
          fs.writeFileSync(workspace.at('list.txt'), others);
          assert.equal(conversation.approve('edit'), true);
          await conversation.rested();
          assert.equal(fs.readFileSync(workspace.at('list.txt'), 'utf8'), others);
          assert.deepEqual(
            undecidedActions(conversation.history).map(({ id }) => id),
            ['edit'],
          );
        } finally {
          workspace.stop();
        }
      },
    },
  );
});
