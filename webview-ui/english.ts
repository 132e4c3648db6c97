/** Every word the panel shows. `scripts/l10n.mjs` hands them to translators; see text.ts for how they come back. */
export const english = {
  unknown: 'unknown', seconds: '{n} s', minutes: '{m} min {s} s', hours: '{h} h {m} min', bytes: '{n} B', close: 'Close', copy: 'Copy', copied: 'Copied', cancel: 'Cancel',

  'status.empty': 'Ready for a task', 'status.idle': 'Answered', 'status.finished': 'Finished', 'status.paused': 'Paused', 'status.interrupted': 'Interrupted', 'status.working': 'Working', 'status.stopping': 'Stopping',
  'status.waiting_for_confirmation': 'Needs approval', 'status.waiting_for_answer': 'Needs an answer', 'status.noModel': 'No model yet', 'status.readOnly': 'Read-only', 'status.restricted': 'Restricted mode', 'status.retrying': 'Trying again', 'status.failed': 'Failed', 'status.limit': 'Limit reached',
  'status.escAgain': 'Press Esc again to stop',

  'header.region': 'Session', 'header.untitled': 'New session', 'header.rename': 'Rename session', 'header.title': 'Title of the session', 'header.scripted': '{name} (scripted)', 'header.scriptedHelp': 'This model plays a script. Its tools, terminal, edits and approvals are real.',
  'header.mode': 'When to ask for approval', 'header.mode.always': 'Always ask', 'header.mode.risky': 'Ask if risky', 'header.mode.never': 'Never ask', 'header.model': 'Model: {name}, {provider}',
  'header.stop': 'Stop', 'header.resume': 'Resume', 'header.stopHelp': 'Stop (Esc)', 'header.context': 'Context', 'header.steps.one': '{n} step', 'header.steps.other': '{n} steps',

  'usage.label': 'Usage', 'usage.in': '{n} in', 'usage.out': '{n} out', 'usage.cached': '{n} cached', 'usage.noTokens': 'tokens unknown', 'usage.noCost': 'cost unknown', 'usage.model': 'Model', 'usage.steps': 'Steps', 'usage.tokensIn': 'Tokens in', 'usage.tokensOut': 'Tokens out', 'usage.tokensCached': 'Of them cached', 'usage.cost': 'Cost',
  'usage.uncounted': 'Tokens not told', 'usage.unpriced': 'Cost not known', 'usage.calls.one': 'for {n} call', 'usage.calls.other': 'for {n} calls', 'usage.context': 'Context window', 'usage.contextOf': '{used} of {window} ({percent} %)',

  'feed.label': 'Conversation', 'feed.jump': 'Jump to latest', 'feed.jumpToApproval': 'Approval needed', 'feed.loading': 'Loading earlier steps', 'feed.you': 'You', 'feed.task': 'Task', 'feed.queued': 'Queued until the model is asked again', 'feed.empty': 'What should be done?', 'feed.emptyHelp': 'Describe a task. Every step can be seen, and risky ones wait for approval.',
  'feed.shortcuts': 'Keyboard shortcuts',

  'search.label': 'Find in the conversation', 'search.count': '{n} of {total} loaded', 'search.none': 'Nothing found among {total} loaded', 'search.close': 'Close search',

  'reply.label': 'Reply', 'reply.thought': 'Thought', 'reply.thinking': 'Thinking', 'reply.writing': 'Writing', 'reply.waiting': 'Waiting for the model', 'reply.preparing': 'Preparing {tool}', 'reply.sampling': '{done} of {of} candidates are here', 'reply.judging': 'Judging the candidates: {done} of {of}', 'markdown.image': 'Image not loaded: {alt}', 'markdown.copy': 'Copy code',

  'candidates.count.one': '{n} candidate', 'candidates.count.other': '{n} candidates', 'candidates.number': 'Candidate {n}', 'candidates.chosen': 'Chosen', 'candidates.score': 'Score {n}', 'candidates.noScore': 'No score', 'candidates.why': 'Why this one', 'candidates.judge': 'What the judge wrote', 'candidates.words': 'Reply of candidate {n}', 'candidates.actions': 'Actions', 'candidates.empty': 'An empty reply',
  'candidates.first_valid': 'number {n}, the first that can be used', 'candidates.llm': 'number {n}, chosen by the judge', 'candidates.reward_model': 'number {n}, the highest score', 'candidates.similarity_gate': 'number {n}, drawn as all are alike', 'candidates.fallback': 'number {n}, without a judgement', 'candidates.person': 'number {n}, picked by a person',
  'candidates.continue': 'Continue from this one', 'candidates.continueLabel': 'Continue from this one: candidate {n}', 'candidates.continueHelp': 'Another candidate continues in a new session. Files stay as they are now.',

  'step.read': 'Read', 'step.listed': 'Listed', 'step.searched': 'Searched', 'step.edited': 'Edited', 'step.created': 'Created', 'step.deleted': 'Deleted', 'step.ran': 'Ran', 'step.todo': 'Planned', 'step.asked': 'Asked', 'step.noted': 'Noted', 'step.delegated': 'Delegated', 'step.solved': 'Planned',
  'step.files.one': '{n} file', 'step.files.other': '{n} files', 'step.entries.one': '{n} entry', 'step.entries.other': '{n} entries', 'step.lines': 'lines {from}–{to} of {total}', 'step.allLines.one': '{n} line', 'step.allLines.other': '{n} lines', 'step.matches.one': '{n} match', 'step.matches.other': '{n} matches', 'step.more': '+', 'step.done': '{done} of {total}',
  'step.exit': 'exit {code}', 'step.end.timed_out': 'timed out', 'step.end.interrupted': 'interrupted', 'step.end.waiting_for_input': 'waits for input', 'step.end.shell_died': 'shell ended', 'step.end.too_much_output': 'too much output', 'step.end.exited': 'ended',
  'step.outcome.ok': 'done', 'step.outcome.error': 'failed', 'step.outcome.timeout': 'timed out', 'step.outcome.rejected': 'refused', 'step.outcome.skipped': 'skipped', 'step.outcome.interrupted': 'interrupted', 'step.outcome.unknown': 'outcome unknown',
  'step.waiting': 'waiting', 'step.running': 'running', 'step.input': 'Input', 'step.output': 'Output', 'step.result': 'Result', 'step.noOutput': 'No output', 'step.risk': 'Risk', 'step.decision': 'Approval', 'step.approved.person': 'Approved by a person', 'step.approved.rule': 'Approved by a standing rule', 'step.refused.person': 'Refused by a person', 'step.refused.rule': 'Refused by a rule', 'step.cwd': 'Folder', 'step.problem': 'Could not run',
  'step.openFile': 'Open file', 'step.openDiff': 'Open diff', 'step.terminal': 'Show terminal', 'step.cut': '… earlier output not shown', 'step.dropped.one': '{n} earlier line is in the terminal', 'step.dropped.other': '{n} earlier lines are in the terminal', 'step.above.one': '+{n} line above', 'step.above.other': '+{n} lines above', 'step.fullOutput': '{shown} of {total} shown. Open the whole output',
  'child.list': 'Agents that work on this', 'child.open': 'Open', 'child.openNamed': 'Open {title}', 'child.openParent': 'Open the session that this one works for', 'child.waitsFor': 'starts after {what}',
  'child.waiting': 'waiting', 'child.working': 'working', 'child.needs_approval': 'needs approval', 'child.needs_answer': 'needs an answer', 'child.paused': 'paused', 'child.submitted': 'done', 'child.answered': 'answered', 'child.limit_exceeded': 'limit reached', 'child.failed': 'failed', 'child.stopped': 'stopped', 'child.not_run': 'not run', 'child.unknown': 'interrupted',
  'todo.pending': 'to do', 'todo.active': 'in progress', 'todo.done': 'done', 'todo.cancelled': 'cancelled',

  'risk.low': 'Low risk', 'risk.medium': 'Medium risk', 'risk.high': 'High risk', 'risk.unknown': 'Risk unknown',

  'approval.label': 'Approval needed', 'approval.position': '{n} of {count}', 'approval.command': 'Command', 'approval.runs': 'Run this command', 'approval.in': 'Runs in', 'approval.why': 'Why it asks', 'approval.whyNothing': 'This session asks before every step.', 'approval.undo': 'Undo',
  'approval.undo.command': 'What a command does cannot be undone from here.', 'approval.undo.edit': 'The edit stays in the undo history of the file.', 'approval.undo.none': 'Nothing is changed, so there is nothing to undo.', 'approval.undo.unknown': 'Nothing is known about how to undo this.',
  'approval.runOnce': 'Run once', 'approval.refuse': 'Refuse', 'approval.refuseNote': 'Refuse with a note…', 'approval.alwaysAllow': 'Always allow…', 'approval.note': 'What should happen instead', 'approval.sendNote': 'Refuse and send', 'approval.sent': 'Sent',
  'approval.enter': 'Enter does not approve. Press Space, or Alt+Enter.', 'approval.hidden.one': '{n} character here cannot be seen and is drawn as its name', 'approval.hidden.other': '{n} characters here cannot be seen and are drawn as their names', 'approval.below.one': '+{n} line below', 'approval.below.other': '+{n} lines below', 'approval.showAll': 'Show all',
  'approval.before': 'Removed', 'approval.after': 'Added', 'approval.control': '{name} character', 'approval.lineBreak': 'line break',

  'question.label': 'Question', 'question.answered': 'Answered', 'question.below': 'Or write the answer below.', 'question.writeBelow': 'Write the answer below.',

  'notice.settings.model': 'Model: {name} ({provider})', 'notice.settings.confirmation': 'Approval: {mode}', 'notice.settings.limits': 'Limits changed', 'notice.settings.title': 'Renamed to “{title}”', 'notice.rule': 'Always allowed: {tool} {key}', 'notice.ruleIn': 'Always allowed in {cwd}: {tool} {key}', 'notice.condensed.one': '{n} earlier event was summarised to fit the context window', 'notice.condensed.other': '{n} earlier events were summarised to fit the context window',
  'notice.format_error': 'The reply could not be used and was sent back', 'notice.empty_reply': 'The reply was empty and was sent back', 'notice.interruption': 'Interrupted', 'notice.going_in_circles': 'The same step was tried again and again, and the model was told so',

  'retry.title': 'The model did not answer', 'retry.in': 'Trying again in {seconds} s · attempt {attempt}', 'retry.now': 'Trying again · attempt {attempt}',
  'paused.title': 'Paused', 'interrupted.title': 'This task was interrupted', 'interrupted.help': 'Everything up to here is kept. No step that began is run again.',

  'finished.submitted': 'Finished', 'finished.limit_exceeded': 'Limit reached', 'finished.failed': 'Failed', 'finished.stopped': 'Stopped', 'finished.changes': 'Changes', 'finished.noChanges': 'No file was changed', 'finished.commands': 'Commands', 'finished.incomplete': 'Counts only the steps loaded so far.', 'finished.loadEarlier': 'Load earlier steps', 'finished.retry': 'Retry', 'finished.openLog': 'Open log', 'finished.settings': 'Settings', 'finished.goOn': 'Go on', 'finished.set_api_key': 'Set API Key', 'finished.choose_model': 'Choose Model',

  'composer.label': 'Message', 'composer.task': 'Describe a task', 'composer.reply': 'Reply or next task', 'composer.queue': 'Add a message', 'composer.send': 'Send', 'composer.queueButton': 'Queue', 'composer.answer': 'Answer the question', 'composer.answerButton': 'Answer', 'composer.noModel': 'Choose a model first', 'composer.dismiss': 'Dismiss',
  'banner.restricted': 'Restricted mode: the model can read and answer. Commands and edits need a trusted workspace.', 'banner.manageTrust': 'Manage trust', 'banner.readOnly': 'Another window is working on this session. It can be read here.', 'banner.newSession': 'New session',

  'welcome.title': 'Choose a model', 'welcome.help': 'Waymark reads, edits and runs commands in this workspace. Every step is shown, and risky ones wait for approval.',

  'help.title': 'Keyboard', 'help.runOnce': 'Run the approval once', 'help.refuse': 'Refuse the approval', 'help.stop': 'Stop', 'help.move': 'Next or previous step', 'help.open': 'Open a step', 'help.shut': 'Close a step', 'help.search': 'Find', 'help.ends': 'First or last step', 'help.copy': 'Copy the step', 'help.composer': 'Send', 'help.newline': 'New line', 'help.last': 'Edit the last message, when the box is empty', 'help.help': 'This list',

  'live.approval': 'Approval needed: {what}', 'live.question': 'Question: {what}', 'live.finished': 'Finished. {what}', 'live.failed': 'Failed. {what}', 'live.limit': 'Limit reached. {what}', 'live.more': 'and {n} more',
} as const;
