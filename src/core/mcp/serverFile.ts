import * as z from 'zod';

const text = z.string().max(32_000);
const values = z.record(z.string().max(300), z.union([text, z.number(), z.boolean()]).transform(String)).default({});
const transport = z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse']).optional();

/** Schema of a server in files and in the setting. */
export const NamedServer = z
  .object({
    type: transport.describe(
      'How it is spoken with; "stdio" where a command is given, and "http", which is streamable HTTP, where an address is. "sse" is not spoken.',
    ),
    transport: transport.describe('The same as "type".'),
    command: text
      .optional()
      .describe(
        'The program that is started: a name on the PATH, or a path from the workspace folder. It is shown in full, and nothing starts before you agree.',
      ),
    args: z
      .array(text)
      .max(1000)
      .default([])
      .describe(
        'Its arguments. ${env:NAME}, ${NAME:-instead}, ${input:id}, ${workspaceFolder} and ${userHome} are filled in, here and in all other texts.',
      ),
    env: values.describe(
      'Variables that it is given beside the usual ones, such as "KEY": "${env:KEY}". It gets no others of this machine.',
    ),
    cwd: text.optional().describe('The folder in which it starts; the workspace folder when absent.'),
    envFile: z
      .unknown()
      .optional()
      .describe(
        'Is not read: such a file could change what is started after somebody agreed to it. Name its variables under "env".',
      ),
    url: text.optional().describe('The address of a server over streamable HTTP.'),
    headers: values.describe(
      'Headers of each request, such as "Authorization": "Bearer ${env:TOKEN}". Without that one a server may have you sign in with your browser.',
    ),
    disabled: z.boolean().default(false).describe('Keeps it from being started.'),
    enabled: z.boolean().default(true).describe('false keeps it from being started.'),
    roots: z
      .boolean()
      .optional()
      .describe(
        'Whether Waymark tells the server the workspace folders. Some servers use those in place of the folders in "args". Default: true, or false when "args" names a folder.',
      ),
    timeout: z
      .number()
      .positive()
      .optional()
      .describe(
        'How long a call may take without any progress: seconds below 1000, milliseconds from there on. 120 seconds when absent.',
      ),
  })
  .describe('A server of the Model Context Protocol: a program with "command", or an address with "url".');

/** Schema of a value that a person is asked for. */
export const NamedInput = z.object({
  id: z.string().describe('Texts of servers take it as ${input:id}.'),
  type: z.string().optional().describe('As VS Code has it: "promptString" or "pickString".'),
  description: z.string().default('').describe('What the person is asked.'),
  password: z.boolean().default(false).describe('Whether it is hidden while it is typed.'),
  default: z.string().optional().describe('What is offered, and taken where nobody is there to be asked.'),
  options: z.array(z.string()).optional().describe('The values to choose from.'),
});

/** Schema of a file of servers, from which the published JSON schema is generated. */
export const ServerFile = z
  .looseObject({
    $schema: z.string().optional(),
    servers: z.record(z.string(), NamedServer).optional().describe('The servers by their names.'),
    mcpServers: z
      .record(z.string(), NamedServer)
      .optional()
      .describe('The same as "servers", as other agents call it.'),
    inputs: z.array(NamedInput).optional().describe('Values that are asked for when a server starts.'),
  })
  .describe(
    'Servers of the Model Context Protocol, whose tools the agent may use after a person agreed to start them.',
  );
