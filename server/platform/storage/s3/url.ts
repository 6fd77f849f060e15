/** Parses STORAGE_URL: `s3://bucket?endpoint=https://…&region=…&prefix=…`. Does not load the S3 client. */

export interface S3Location {
  bucket: string;
  /** Text before the name of every object: empty, or ending with a slash. */
  prefix: string;
  /** Region of the bucket. Undefined means AWS_REGION or the profile. */
  region: string | undefined;
  /** URL of the store. Undefined means Amazon's own endpoint for the region. */
  endpoint: string | undefined;
  /** URL of the store for browsers, if it differs from `endpoint`. Used with STORAGE_REDIRECT. */
  publicEndpoint: string | undefined;
}

const allowedParameters = ['endpoint', 'region', 'prefix', 'public'];
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixPattern = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
/** Region that stores other than Amazon's accept by default. */
const defaultRegion = 'us-east-1';

/** Parses STORAGE_URL. Throws an Error that describes a valid value. */
export function parseStorageUrl(text: string): S3Location {
  if (!text.startsWith('s3://') || !URL.canParse(text)) {
    throw new Error(
      'must be s3://bucket?endpoint=https://host&region=name (or unset for a folder in DATA_DIR)',
    );
  }
  const url = new URL(text);
  if (url.username || url.password) {
    throw new Error('must not contain keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  }
  if (!bucketPattern.test(url.host)) {
    throw new Error(
      `"${url.host}" is not a valid bucket name: 3 to 63 characters a to z, digits, dots and -, with a letter or ` +
        'digit at both ends',
    );
  }
  if (url.pathname !== '' && url.pathname !== '/') {
    throw new Error('must not have a path: use prefix=… for a folder in the bucket');
  }
  const unknown = [...url.searchParams.keys()].filter((name) => !allowedParameters.includes(name));
  if (unknown.length > 0) {
    throw new Error(`accepts the parameters ${allowedParameters.join(', ')}, but not ${unknown.join(', ')}`);
  }
  const endpoint = readEndpoint('endpoint', url.searchParams.get('endpoint'));
  return {
    bucket: url.host,
    prefix: readPrefix(url.searchParams.get('prefix')),
    region: url.searchParams.get('region') || (endpoint && defaultRegion),
    endpoint,
    publicEndpoint: readEndpoint('public', url.searchParams.get('public')),
  };
}

export function describeS3Location({ bucket, prefix, endpoint }: S3Location): string {
  return `s3://${bucket}/${prefix}${endpoint ? ` at ${endpoint}` : ''}`;
}

function readEndpoint(name: string, value: string | null): string | undefined {
  if (!value) return undefined;
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw new Error(`${name} must be an http or https address, not "${value}"`);
  }
  return value.replace(/(?<!\/)\/+$/, '');
}

function readPrefix(value: string | null): string {
  const prefix = (value ?? '').replace(/^\/+|(?<!\/)\/+$/g, '');
  if (prefix === '') return '';
  if (!prefixPattern.test(prefix) || prefix.split('/').some((part) => /^\.+$/.test(part))) {
    throw new Error('prefix must consist of names of letters, digits, dots, _ and -, separated by slashes');
  }
  return `${prefix}/`;
}
