/** Components that many operations share: token, rate limit headers, body of an error. */
const integerHeader = (description: string, example: number) => ({
  description,
  schema: { type: 'integer' },
  example,
});

const textHeader = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
});

const errorData = {
  type: 'object',
  properties: {
    id: { type: 'integer', description: 'With code 20009: id of the photo that is in the gallery already' },
    album: {
      type: ['object', 'null'],
      description: 'With code 20009: the album that this photo is in',
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
    },
    challenge: { type: 'string', description: 'With code 10008: for the second step of logging in' },
    expires_in: { type: 'integer', description: 'With code 10008: seconds that it is good' },
  },
  description: 'With codes 20009 and 10008 only',
};

const errorSchema = (code: object) => ({
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code,
    message: { type: 'string', description: 'Text for humans' },
    data: { $ref: '#/components/schemas/ErrorData' },
    errors: {
      type: 'object',
      description:
        'With code 400 only: what is wrong with each field. Fields inside others are named with dots: `params.width`',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
});

export const components = {
  schemas: {
    ApiError: errorSchema({
      type: 'integer',
      description: 'Error code; see the responses of each operation',
    }),
    ValidationError: errorSchema({ type: 'integer', const: 400 }),
    ErrorData: errorData,
  },
  headers: {
    'X-RateLimit-Limit': integerHeader('Calls a minute; sent where a limit is set (RATE_LIMIT)', 60),
    'X-RateLimit-Remaining': integerHeader('Calls left in this minute; sent where a limit is set', 59),
    'X-RateLimit-Reset': integerHeader(
      'When the minute ends, Unix seconds; sent where a limit is set',
      1767225600,
    ),
    'Retry-After': integerHeader('Seconds to wait before the next attempt', 7),
    'WWW-Authenticate': textHeader(
      'How to log in: with a bearer token',
      'Bearer realm="Lightwell", error="invalid_token"',
    ),
    ETag: textHeader(
      'Of these bytes; send it as `If-None-Match`',
      '"4f0c2a9be17d43c1a7d80e3b5c6f129a.thumb"',
    ),
    'Cache-Control': textHeader('Who may cache the answer, and for how long', 'private, no-cache'),
    Vary: textHeader('Request headers that the answer depends on', 'Authorization, Cookie'),
    'Content-Disposition': textHeader('File name', 'attachment; filename="Alps.zip"'),
    'Content-Range': textHeader('The range of this answer', 'bytes 0-1023/784371'),
    'Tus-Resumable': textHeader('The version of tus', '1.0.0'),
    'Upload-Offset': integerHeader('Bytes of the upload that are stored', 1048576),
    'Upload-Length': integerHeader('Bytes of the whole file', 4194304),
    'Upload-Metadata': textHeader('As the client gave it', 'filename RFNDXzAwNDIuSlBH'),
    'Upload-Expires': textHeader('When the upload ends', 'Thu, 01 Jan 2026 00:00:00 GMT'),
    Location: textHeader('URL of the resource', '1qBz0w9mCk3TnV5yXeRjUoLpGdHsAiFbWtKcYvZuN4M'),
  },
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'The `token` that login or register returned' },
    cookie: {
      type: 'apiKey',
      in: 'cookie',
      name: 'lightwell_session',
      description:
        'Set by login or register with `cookie`; over https its name is `__Host-lightwell_session`. For pages of ' +
        'this gallery alone: what another origin sends counts as without it, or is refused where it writes',
    },
  },
};
