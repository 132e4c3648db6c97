import { eachNamed, type Family } from '../../calls/manual';
import { flags, high, takes, values } from '../../calls/options';

export const protocolsFamily: Family = {
  programs: {
    protoc: {
      level: 'medium',
      reason: 'Generates code.',
      style: 'words',
      operands: { rest: 'read' },
      options: [
        flags(`
          -I. -Iproto --include_imports --include_source_info --experimental_allow_proto3_optional
          --version
        `),
        values('--go_opt --go-grpc_opt --js_out'),
        takes('search', '-I --proto_path'),
        takes(
          'write',
          `
          --go_out --go-grpc_out --python_out --pyi_out --grpc_python_out --ts_out --ts_proto_out
          --cpp_out --java_out --kotlin_out --csharp_out --ruby_out --rust_out --php_out --objc_out
          --descriptor_set_out -o
        `,
        ),
        high(values('--plugin --encode --decode')),
      ],
    },
    buf: {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...eachNamed('lint build breaking', {
          level: 'low',
          operands: ['search'],
          options: [values('--error-format'), takes('search', '--path --config'), takes('rev', '--against')],
        }),
        ...eachNamed('generate format', {
          level: 'medium',
          reason: 'Changes files of the workspace.',
          operands: ['search'],
          options: [flags('-w -d --diff'), takes('search', '--path')],
        }),
      },
    },
  },
};
