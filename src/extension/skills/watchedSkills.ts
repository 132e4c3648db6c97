/** What VS Code watches for us: it knows of every change in the workspace anyway. */
export const watchedSkills = '**/{*.agent,*.agent.md,AGENTS.md,agents.md,agent.md,CLAUDE.md,GEMINI.md,.cursorrules,copilot-instructions.md,.agentignore,.agent/**,.agents/**,.openhands/**,.claude/skills/**,.github/agents/**}';
