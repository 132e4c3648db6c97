import { setting } from '../setting';
import { choice, yesOrNo } from '../value';

/** What the window shows. */
export const interfaceSettings = {
  'edits.saveActions': setting({
    value: yesOrNo,
    default: true,
    words:
      'Whether VS Code treats files that the agent changes like files that you save: formats them (`editor.formatOnSave`), runs code actions (`editor.codeActionsOnSave`) and trims white space (`files.trimTrailingWhitespace`). Off: files contain what the agent wrote, unless they have unsaved changes of yours. New files, and files in Latin-1 or with mixed line endings, always contain what the agent wrote.',
    flag: { windowOnly: 'The command line writes files as the agent wrote them.' },
  }),
  'edits.apply': setting({
    value: choice({
      atOnce: 'Edits change files at once. You keep or undo them afterwards.',
      afterReview: 'Edits change no file until you apply them in the Changes view.',
    }),
    default: 'atOnce',
    words:
      'When edits of the agent change files. `afterReview` holds back the edits of its tools. The agent is told so, and reads its files as edited. Its commands are not held back: they change files at once, and do not see the waiting edits.',
    flag: {
      name: '--apply-edits',
      argument: '<when>',
      words: 'when edits change files: atOnce, or afterReview, which holds them back for "waymark apply"',
    },
  }),
  followAgent: setting({
    value: yesOrNo,
    default: false,
    words:
      'Whether each file that the agent edits in the visible session opens in a preview tab. The keyboard focus stays where it is. `Waymark: Follow the Agent` turns this on and off.',
    flag: { windowOnly: 'The command line has no editor.' },
  }),
  'notifications.approval': setting({
    value: yesOrNo,
    default: true,
    words:
      'Show a notification in the window when an action waits for approval in a session that is not visible. The badge of the Approvals view always shows it. VS Code does not pass notifications of extensions to the operating system.',
    flag: { windowOnly: 'The command line asks at the terminal.' },
  }),
  'notifications.question': setting({
    value: yesOrNo,
    default: true,
    words: 'Show a notification in the window when the agent asks a question in a session that is not visible.',
    flag: { windowOnly: 'The command line asks at the terminal.' },
  }),
  'notifications.end': setting({
    value: yesOrNo,
    default: true,
    words: 'Show a notification in the window when a run ends in a session that is not visible.',
    flag: { windowOnly: 'The command line ends with the run.' },
  }),
  provenance: setting({
    value: choice({
      onHover: 'In the hover of a line that the agent wrote.',
      on: 'In the hover, and as a bar beside each line that the agent wrote.',
      off: 'Not shown automatically.',
    }),
    default: 'onHover',
    words:
      'Whether the editor shows which step of the agent wrote a line: the step, its reason, the command or edit, the model, and who approved it. `Waymark: Show Step for This Line` and `Waymark: Agent Blame` always work.',
    flag: { windowOnly: 'The command line has no editor.' },
  }),
};
