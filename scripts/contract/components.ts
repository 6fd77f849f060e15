/** What many operations share: the token, the headers of the limit, the body of an error. */
const integerHeader = (description: string, example: number) => ({
  description,
  schema: { type: 'integer' },
  example,
});

export const components = {
  schemas: {
    Error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer', description: 'Says what went wrong; see the answers of each operation' },
        message: { type: 'string', description: 'For people' },
        errors: {
          type: 'object',
          description: 'With code 400 only: field name to what is wrong with it',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
  headers: {
    'X-RateLimit-Limit': integerHeader('Calls a minute', 60),
    'X-RateLimit-Remaining': integerHeader('Calls left in this minute', 59),
    'X-RateLimit-Reset': integerHeader('When the minute ends, Unix seconds', 1767225600),
    'Retry-After': integerHeader('Seconds to wait before the next try', 7),
  },
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'The `token` that login or register returned' },
  },
};
