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
    id: { type: 'integer', description: 'With code 20009: id of the photo that is already in the gallery' },
    album: {
      type: ['object', 'null'],
      description: 'With code 20009: album of that photo',
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
    },
    challenge: {
      type: 'string',
      description: 'With code 10008: challenge for `POST /api/auth/login/second`',
    },
    expires_in: { type: 'integer', description: 'With code 10008: seconds until the challenge expires' },
  },
  description: 'Only with the codes 20009 and 10008',
};

const errorSchema = (code: object) => ({
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code,
    message: { type: 'string', description: 'Text for people, in English' },
    data: { $ref: '#/components/schemas/ErrorData' },
    errors: {
      type: 'object',
      description:
        'Only with code 400: messages for each invalid field. Nested fields are named with dots: `params.width`',
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
    'X-RateLimit-Limit': integerHeader(
      'Requests per minute; sent if a limit is set (RATE_LIMIT, WEB_RATE_LIMIT, or the limit of the API key)',
      60,
    ),
    'X-RateLimit-Remaining': integerHeader('Requests left in this minute; sent if a limit is set', 59),
    'X-RateLimit-Reset': integerHeader(
      'End of this minute, in Unix seconds; sent if a limit is set',
      1767225600,
    ),
    'Retry-After': integerHeader('Seconds to wait before the next attempt', 7),
    'WWW-Authenticate': textHeader(
      'Required authentication: a bearer token',
      'Bearer realm="Lightwell", error="invalid_token"',
    ),
    ETag: textHeader(
      'ETag of the content; send it as `If-None-Match`',
      '"4f0c2a9be17d43c1a7d80e3b5c6f129a.thumb"',
    ),
    'Cache-Control': textHeader('Which caches can store the response, and for how long', 'private, no-cache'),
    Vary: textHeader('Request headers that the response depends on', 'Authorization, Cookie'),
    'Content-Disposition': textHeader('File name', 'attachment; filename="Alps.zip"'),
    'Content-Range': textHeader('Range of this response', 'bytes 0-1023/784371'),
    'Tus-Resumable': textHeader('Version of the tus protocol', '1.0.0'),
    'Upload-Offset': integerHeader('Number of bytes of the upload that are stored', 1048576),
    'Upload-Length': integerHeader('Size of the whole file in bytes', 4194304),
    'Upload-Metadata': textHeader('Metadata that the client gave', 'filename RFNDXzAwNDIuSlBH'),
    'Upload-Expires': textHeader('When the upload expires', 'Thu, 01 Jan 2026 00:00:00 GMT'),
    Location: textHeader('URL of the resource', '1qBz0w9mCk3TnV5yXeRjUoLpGdHsAiFbWtKcYvZuN4M'),
  },
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: '`token` that login or register returned, or an API key',
    },
    cookie: {
      type: 'apiKey',
      in: 'cookie',
      name: 'lightwell_session',
      description:
        'Set by login or register with `cookie`; over https the name is `__Host-lightwell_session`. Only for pages ' +
        'of this gallery: requests of other origins count as requests without the cookie, and are refused if they write',
    },
  },
};
