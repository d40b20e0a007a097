/** The version that the OpenAPI document, `grs --version` and the log name. */
export const version = '0.2.0';
