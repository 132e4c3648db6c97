/**
 * Calls in the formats of other agents, by agent, and their meaning here. Names and arguments follow the agents' own
 * tool schemas: Claude Code, Codex CLI, Gemini CLI, Qwen Code, OpenCode, Cline, Roo Code, OpenHands, SWE-agent, Copilot
 * in VS Code, Cursor, Kimi CLI and Hermes Agent.
 */
interface AgentCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly means: readonly [tool: string, input: Record<string, unknown>];
}

const edit = (path: string, old_text: string, new_text: string, all?: boolean): AgentCall['means'] => [
  'edit_file',
  { path, edits: [{ old_text, new_text, ...(all !== undefined && { all }) }] },
];
const run = (command: string, more: Record<string, unknown> = {}): AgentCall['means'] => [
  'run_command',
  { command, ...more },
];
const patch = '*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch';

export const agentCalls: Readonly<Record<string, readonly AgentCall[]>> = {
  'Claude Code': [
    { tool: 'Read', input: { file_path: 'a.ts' }, means: ['read_file', { path: 'a.ts' }] },
    {
      tool: 'Read',
      input: { file_path: 'a.ts', offset: 11, limit: 20 },
      means: ['read_file', { path: 'a.ts', from: 11, to: 30 }],
    },
    { tool: 'Edit', input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, means: edit('a.ts', 'a', 'b') },
    {
      tool: 'Edit',
      input: { file_path: 'a.ts', old_string: 'a', new_string: 'b', replace_all: true },
      means: edit('a.ts', 'a', 'b', true),
    },
    {
      tool: 'MultiEdit',
      input: {
        file_path: 'a.ts',
        edits: [
          { old_string: 'a', new_string: 'b' },
          { old_string: 'c', new_string: 'd', replace_all: true },
        ],
      },
      means: [
        'edit_file',
        {
          path: 'a.ts',
          edits: [
            { old_text: 'a', new_text: 'b' },
            { old_text: 'c', new_text: 'd', all: true },
          ],
        },
      ],
    },
    {
      tool: 'Write',
      input: { file_path: 'a.ts', content: 'x\n' },
      means: ['write_file', { path: 'a.ts', content: 'x\n' }],
    },
    {
      tool: 'Bash',
      input: { command: 'npm test', description: 'Runs the tests', timeout: 60000 },
      means: run('npm test', { timeout: 60 }),
    },
    { tool: 'Bash', input: { command: 'npm start', run_in_background: true }, means: run('(\nnpm start\n) &') },
    {
      tool: 'Grep',
      input: { pattern: 'a+', path: 'src', glob: '*.ts', '-i': true, '-n': true, output_mode: 'content' },
      means: ['search_text', { pattern: 'a+', path: 'src', glob: '*.ts', case: false }],
    },
    { tool: 'LS', input: { path: 'src', ignore: [] }, means: ['list_files', { path: 'src' }] },
    {
      tool: 'TodoWrite',
      input: { todos: [{ content: 'Look', status: 'in_progress', activeForm: 'Looking' }] },
      means: ['todo', { todos: [{ content: 'Look', status: 'in_progress' }] }],
    },
    {
      tool: 'AskUserQuestion',
      input: {
        questions: [
          {
            question: 'Which?',
            header: 'Kind',
            multiSelect: false,
            options: [
              { label: 'a', description: 'x' },
              { label: 'b', description: 'y' },
            ],
          },
        ],
      },
      means: ['ask_user', { question: 'Which?', choices: ['a', 'b'] }],
    },
    {
      tool: 'Task',
      input: { description: 'Find it', prompt: 'Find the cause.', subagent_type: 'general-purpose' },
      means: ['delegate', { tasks: [{ title: 'Find it', task: 'Find the cause.' }] }],
    },
  ],
  'Codex CLI': [
    {
      tool: 'shell',
      input: { command: ['bash', '-lc', 'npm test && ls'], workdir: '.', timeout_ms: 30000 },
      means: run('npm test && ls', { timeout: 30 }),
    },
    {
      tool: 'shell',
      input: { command: ['git', 'log', '--format=%h %s'], justification: 'x', sandbox_permissions: 'use_default' },
      means: run("git log '--format=%h %s'"),
    },
    { tool: 'shell', input: { command: ['ls'], workdir: 'src' }, means: run("( cd -- 'src' && {\nls\n} )") },
    {
      tool: 'shell_command',
      input: { command: 'ls', login: true, timeout_ms: 1500 },
      means: run('ls', { timeout: 1.5 }),
    },
    {
      tool: 'exec_command',
      input: { cmd: 'ls', yield_time_ms: 1000, max_output_tokens: 2000, tty: true, shell: '/bin/bash' },
      means: run('ls', { tty: true }),
    },
    { tool: 'write_stdin', input: { session_id: 1, chars: 'y\n' }, means: ['run_command', { input: 'y\n' }] },
    { tool: 'apply_patch', input: { input: patch }, means: ['apply_patch', { patch }] },
    { tool: 'shell', input: { command: ['apply_patch', patch] }, means: ['apply_patch', { patch }] },
    {
      tool: 'shell',
      input: { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF`] },
      means: ['apply_patch', { patch }],
    },
    {
      tool: 'read_file',
      input: { file_path: 'a.ts', offset: 3, limit: 2, mode: 'slice' },
      means: ['read_file', { path: 'a.ts', from: 3, to: 4 }],
    },
    {
      tool: 'grep_files',
      input: { pattern: 'x', include: '*.rs', path: 'src' },
      means: ['search_text', { pattern: 'x', glob: '*.rs', path: 'src' }],
    },
    { tool: 'list_dir', input: { dir_path: 'src', depth: 2 }, means: ['list_files', { path: 'src', depth: 2 }] },
    {
      tool: 'update_plan',
      input: { explanation: 'x', plan: [{ step: 'Look', status: 'pending' }] },
      means: ['todo', { todos: [{ content: 'Look', status: 'pending' }] }],
    },
  ],
  'Gemini CLI': [
    {
      tool: 'read_file',
      input: { file_path: 'a.ts', start_line: 2, end_line: 5 },
      means: ['read_file', { path: 'a.ts', from: 2, to: 5 }],
    },
    {
      tool: 'read_file',
      input: { absolute_path: '/w/a.ts', offset: 0, limit: 5 },
      means: ['read_file', { path: '/w/a.ts', from: 1, to: 5 }],
    },
    {
      tool: 'replace',
      input: { file_path: 'a.ts', instruction: 'x', old_string: 'a', new_string: 'b' },
      means: edit('a.ts', 'a', 'b'),
    },
    {
      tool: 'replace',
      input: { file_path: 'a.ts', old_string: 'a', new_string: 'b', allow_multiple: true },
      means: edit('a.ts', 'a', 'b', true),
    },
    {
      tool: 'write_file',
      input: { file_path: 'a.ts', content: 'x' },
      means: ['write_file', { path: 'a.ts', content: 'x' }],
    },
    {
      tool: 'run_shell_command',
      input: { command: 'ls', description: 'x', dir_path: 'src' },
      means: run("( cd -- 'src' && {\nls\n} )"),
    },
    {
      tool: 'grep_search',
      input: { pattern: 'x', dir_path: 'src', include_pattern: '*.ts', fixed_strings: true, case_sensitive: false },
      means: ['search_text', { pattern: 'x', path: 'src', glob: '*.ts', literal: true, case: false }],
    },
    {
      tool: 'search_file_content',
      input: { pattern: 'x', include: '*.ts' },
      means: ['search_text', { pattern: 'x', glob: '*.ts' }],
    },
    { tool: 'list_directory', input: { dir_path: 'src' }, means: ['list_files', { path: 'src' }] },
    {
      tool: 'write_todos',
      input: { todos: [{ description: 'Look', status: 'pending' }] },
      means: ['todo', { todos: [{ content: 'Look', status: 'pending' }] }],
    },
    { tool: 'complete_task', input: { result: 'Done.' }, means: ['finish', { summary: 'Done.' }] },
  ],
  'Qwen Code': [
    {
      tool: 'edit',
      input: { file_path: 'a.ts', old_string: 'a', new_string: 'b', replace_all: false },
      means: edit('a.ts', 'a', 'b', false),
    },
    {
      tool: 'read_file',
      input: { absolute_path: 'a.ts', offset: 10, limit: 5 },
      means: ['read_file', { path: 'a.ts', from: 10, to: 14 }],
    },
    {
      tool: 'run_shell_command',
      input: { command: 'ls', is_background: false, timeout: 120000, directory: '.' },
      means: run('ls', { timeout: 120 }),
    },
    {
      tool: 'grep_search',
      input: { pattern: 'x', path: 'src', glob: '*.ts' },
      means: ['search_text', { pattern: 'x', path: 'src', glob: '*.ts' }],
    },
  ],
  OpenCode: [
    {
      tool: 'read',
      input: { filePath: 'a.ts', offset: 5, limit: 10 },
      means: ['read_file', { path: 'a.ts', from: 5, to: 14 }],
    },
    {
      tool: 'edit',
      input: { filePath: 'a.ts', oldString: 'a', newString: 'b', replaceAll: true },
      means: edit('a.ts', 'a', 'b', true),
    },
    { tool: 'write', input: { filePath: 'a.ts', content: 'x' }, means: ['write_file', { path: 'a.ts', content: 'x' }] },
    {
      tool: 'bash',
      input: { command: 'ls', timeout: 5000, workdir: 'src', description: 'x' },
      means: run("( cd -- 'src' && {\nls\n} )", { timeout: 5 }),
    },
    {
      tool: 'grep',
      input: { pattern: 'x', path: 'src', include: '*.ts' },
      means: ['search_text', { pattern: 'x', path: 'src', glob: '*.ts' }],
    },
    { tool: 'list', input: { path: 'src' }, means: ['list_files', { path: 'src' }] },
    { tool: 'apply_patch', input: { patchText: patch }, means: ['apply_patch', { patch }] },
    {
      tool: 'todowrite',
      input: { todos: [{ id: '1', content: 'Look', status: 'pending', priority: 'high' }] },
      means: ['todo', { todos: [{ id: '1', content: 'Look', status: 'pending' }] }],
    },
  ],
  Cline: [
    { tool: 'read_file', input: { path: 'a.ts', task_progress: '- [ ] x' }, means: ['read_file', { path: 'a.ts' }] },
    {
      tool: 'write_to_file',
      input: { path: 'a.ts', content: 'x' },
      means: ['write_file', { path: 'a.ts', content: 'x' }],
    },
    {
      tool: 'replace_in_file',
      input: { path: 'a.ts', diff: '------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n' },
      means: edit('a.ts', 'a', 'b'),
    },
    {
      tool: 'execute_command',
      input: { command: 'ls', requires_approval: false, timeout: 30 },
      means: run('ls', { timeout: 30 }),
    },
    {
      tool: 'search_files',
      input: { path: 'src', regex: 'x+', file_pattern: '*.ts' },
      means: ['search_text', { pattern: 'x+', path: 'src', glob: '*.ts' }],
    },
    { tool: 'list_files', input: { path: 'src', recursive: false }, means: ['list_files', { path: 'src', depth: 1 }] },
    {
      tool: 'ask_followup_question',
      input: { question: 'Which?', options: ['a', 'b'] },
      means: ['ask_user', { question: 'Which?', choices: ['a', 'b'] }],
    },
    { tool: 'attempt_completion', input: { result: 'Done.' }, means: ['finish', { summary: 'Done.' }] },
    { tool: 'editor', input: { path: 'a.ts', old_text: 'a', new_text: 'b' }, means: edit('a.ts', 'a', 'b') },
    { tool: 'submit_and_exit', input: { summary: 'Done.', verified: true }, means: ['finish', { summary: 'Done.' }] },
  ],
  'Roo Code': [
    {
      tool: 'apply_diff',
      input: { path: 'a.ts', diff: '<<<<<<< SEARCH\n:start_line:3\n-------\na\n=======\nb\n>>>>>>> REPLACE' },
      means: edit('a.ts', 'a', 'b'),
    },
    {
      tool: 'search_replace',
      input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
      means: edit('a.ts', 'a', 'b'),
    },
    {
      tool: 'edit_file',
      input: { file_path: 'a.ts', old_string: 'a', new_string: 'b', expected_replacements: 1 },
      means: edit('a.ts', 'a', 'b'),
    },
    { tool: 'execute_command', input: { command: 'ls', cwd: null, timeout: null }, means: run('ls') },
    { tool: 'list_files', input: { path: 'src', recursive: true }, means: ['list_files', { path: 'src', depth: 20 }] },
    {
      tool: 'ask_followup_question',
      input: { question: 'Which?', follow_up: [{ text: 'a', mode: null }, { text: 'b' }] },
      means: ['ask_user', { question: 'Which?', choices: ['a', 'b'] }],
    },
    {
      tool: 'update_todo_list',
      input: { todos: '[x] Look\n[-] Write\n[ ] Test' },
      means: [
        'todo',
        {
          todos: [
            { id: '1', content: 'Look', status: 'completed' },
            { id: '2', content: 'Write', status: 'in_progress' },
            { id: '3', content: 'Test', status: 'pending' },
          ],
        },
      ],
    },
  ],
  OpenHands: [
    {
      tool: 'execute_bash',
      input: { command: 'ls', is_input: 'false', timeout: 30, security_risk: 'LOW' },
      means: run('ls', { timeout: 30 }),
    },
    { tool: 'execute_bash', input: { command: 'y\n', is_input: 'true' }, means: ['run_command', { input: 'y\n' }] },
    {
      tool: 'str_replace_editor',
      input: { command: 'view', path: 'a.ts', view_range: [3, 9] },
      means: ['read_file', { path: 'a.ts', from: 3, to: 9 }],
    },
    {
      tool: 'str_replace_editor',
      input: { command: 'view', path: 'a.ts', view_range: [3, -1] },
      means: ['read_file', { path: 'a.ts', from: 3 }],
    },
    {
      tool: 'str_replace_editor',
      input: { command: 'create', path: 'a.ts', file_text: 'x' },
      means: ['write_file', { path: 'a.ts', content: 'x' }],
    },
    {
      tool: 'str_replace_editor',
      input: { command: 'str_replace', path: 'a.ts', old_str: 'a', new_str: 'b' },
      means: edit('a.ts', 'a', 'b'),
    },
    { tool: 'think', input: { thought: 'Hm.' }, means: ['think', { thought: 'Hm.' }] },
    { tool: 'finish', input: { message: 'Done.', task_completed: 'true' }, means: ['finish', { summary: 'Done.' }] },
  ],
  'SWE-agent': [
    { tool: 'bash', input: { command: 'ls' }, means: run('ls') },
    {
      tool: 'str_replace_editor',
      input: { command: 'str_replace', path: '/repo/a.py', old_str: 'a', new_str: '' },
      means: edit('/repo/a.py', 'a', ''),
    },
    { tool: 'open', input: { path: 'a.py', line_number: 30 }, means: ['read_file', { path: 'a.py', from: 30 }] },
    {
      tool: 'search_dir',
      input: { search_term: 'x', dir: 'src' },
      means: ['search_text', { pattern: 'x', path: 'src' }],
    },
    {
      tool: 'search_file',
      input: { search_term: 'x', file: 'a.py' },
      means: ['search_text', { pattern: 'x', path: 'a.py' }],
    },
    { tool: 'submit', input: {}, means: ['finish', { summary: 'The work is submitted.' }] },
  ],
  Copilot: [
    {
      tool: 'read_file',
      input: { filePath: 'a.ts', startLine: 1, endLine: 20 },
      means: ['read_file', { path: 'a.ts', from: 1, to: 20 }],
    },
    {
      tool: 'replace_string_in_file',
      input: { filePath: 'a.ts', oldString: 'a', newString: 'b', explanation: 'x' },
      means: edit('a.ts', 'a', 'b'),
    },
    {
      tool: 'multi_replace_string_in_file',
      input: {
        explanation: 'x',
        replacements: [{ filePath: 'a.ts', oldString: 'a', newString: 'b', explanation: 'y' }],
      },
      means: edit('a.ts', 'a', 'b'),
    },
    {
      tool: 'create_file',
      input: { filePath: 'a.ts', content: 'x' },
      means: ['write_file', { path: 'a.ts', content: 'x' }],
    },
    {
      tool: 'run_in_terminal',
      input: { command: 'ls', explanation: 'x', goal: 'y', isBackground: false, timeout: 20000 },
      means: run('ls', { timeout: 20 }),
    },
    {
      tool: 'grep_search',
      input: { query: 'a.b', isRegexp: false, includePattern: 'src/**' },
      means: ['search_text', { pattern: 'a.b', literal: true, glob: 'src/**' }],
    },
    { tool: 'list_dir', input: { path: 'src' }, means: ['list_files', { path: 'src' }] },
    { tool: 'apply_patch', input: { input: patch, explanation: 'x' }, means: ['apply_patch', { patch }] },
    {
      tool: 'manage_todo_list',
      input: { operation: 'write', todoList: [{ id: 1, title: 'Look', description: 'x', status: 'not-started' }] },
      means: ['todo', { todos: [{ id: 1, content: 'Look', status: 'pending' }] }],
    },
  ],
  Cursor: [
    {
      tool: 'read_file',
      input: {
        target_file: 'a.ts',
        should_read_entire_file: false,
        start_line_one_indexed: 2,
        end_line_one_indexed_inclusive: 8,
        explanation: 'x',
      },
      means: ['read_file', { path: 'a.ts', from: 2, to: 8 }],
    },
    {
      tool: 'search_replace',
      input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
      means: edit('a.ts', 'a', 'b'),
    },
    { tool: 'run_terminal_cmd', input: { command: 'ls', is_background: false, explanation: 'x' }, means: run('ls') },
    {
      tool: 'list_dir',
      input: { relative_workspace_path: 'src', explanation: 'x' },
      means: ['list_files', { path: 'src' }],
    },
    {
      tool: 'grep_search',
      input: { query: 'x', case_sensitive: true, include_pattern: '*.ts' },
      means: ['search_text', { pattern: 'x', glob: '*.ts', case: true }],
    },
    {
      tool: 'todo_write',
      input: { merge: true, todos: [{ id: '1', status: 'completed' }] },
      means: ['todo', { todos: [{ id: '1', status: 'completed' }], merge: true }],
    },
  ],
  'Kimi CLI': [
    {
      tool: 'ReadFile',
      input: { path: 'a.ts', line_offset: 11, n_lines: 10 },
      means: ['read_file', { path: 'a.ts', from: 11, to: 20 }],
    },
    {
      tool: 'StrReplaceFile',
      input: { path: 'a.ts', edit: { old: 'a', new: 'b', replace_all: true } },
      means: edit('a.ts', 'a', 'b', true),
    },
    { tool: 'StrReplaceFile', input: { path: 'a.ts', edit: [{ old: 'a', new: 'b' }] }, means: edit('a.ts', 'a', 'b') },
    {
      tool: 'WriteFile',
      input: { path: 'a.ts', content: 'x', mode: 'overwrite' },
      means: ['write_file', { path: 'a.ts', content: 'x' }],
    },
    { tool: 'Shell', input: { command: 'ls', timeout: 60 }, means: run('ls', { timeout: 60 }) },
    {
      tool: 'Grep',
      input: { pattern: 'x', path: '.', output_mode: 'files_with_matches' },
      means: ['search_text', { pattern: 'x', path: '.' }],
    },
    {
      tool: 'SetTodoList',
      input: { todos: [{ title: 'Look', status: 'done' }] },
      means: ['todo', { todos: [{ content: 'Look', status: 'done' }] }],
    },
    { tool: 'Think', input: { thought: 'Hm.' }, means: ['think', { thought: 'Hm.' }] },
  ],
  'Hermes Agent': [
    {
      tool: 'terminal',
      input: { command: 'ls', timeout: 180, workdir: 'src', pty: false, background: false },
      means: run("( cd -- 'src' && {\nls\n} )", { timeout: 180, tty: false }),
    },
    {
      tool: 'read_file',
      input: { path: 'a.ts', offset: 1, limit: 20 },
      means: ['read_file', { path: 'a.ts', from: 1, to: 20 }],
    },
    {
      tool: 'patch',
      input: { mode: 'replace', path: 'a.ts', old_string: 'a', new_string: 'b', replace_all: false },
      means: edit('a.ts', 'a', 'b', false),
    },
    { tool: 'patch', input: { mode: 'patch', patch }, means: ['apply_patch', { patch }] },
    {
      tool: 'search_files',
      input: { pattern: 'x', target: 'content', path: 'src', file_glob: '*.ts', output_mode: 'content', context: 0 },
      means: ['search_text', { pattern: 'x', path: 'src', glob: '*.ts' }],
    },
    {
      tool: 'clarify',
      input: { question: 'Which?', choices: ['a', 'b'] },
      means: ['ask_user', { question: 'Which?', choices: ['a', 'b'] }],
    },
  ],
};
