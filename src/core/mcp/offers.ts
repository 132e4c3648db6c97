/** A text that a server offers for a task, with the values that it asks for. */
export interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

/** Something that a server can show. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mediaType: string;
}

/** Resources whose address has variables: "note://{id}". */
export interface ResourceTemplate {
  readonly template: string;
  readonly name: string;
  readonly description: string;
}
