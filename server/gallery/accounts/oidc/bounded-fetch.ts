/** Sends requests to the OpenID provider. Responses are bounded, because a provider may answer without an end. */

/** Maximum bytes of one response, decompressed. Keys and claims of real providers take some kilobytes. */
const maxAnswerBytes = 1024 * 1024;

/** Marks a response that is too large. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** `fetch` with a bounded response. Rejects with AnswerTooLarge. */
export async function fetchBounded(url: string, options: object): Promise<Response> {
  const response = await fetch(url, options);
  if (response.body === null) return response;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest of the response.
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes)
      throw new AnswerTooLarge(`the response has more than ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  return new Response(new Blob(chunks), { status, statusText, headers });
}
