/** Checks that the OpenAPI document is complete and that clients can be generated from it. */
import { errorCatalogue } from '../../server/platform/errors/catalogue.ts';
import { removeParameterNames } from './same-paths.ts';
import { mistakesInSchemas } from './schema-mistakes.ts';
import type { Contract, Media, Operation, Response } from './types.ts';

export function mistakesIn(contract: Contract): string[] {
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  return [
    ...operations.flatMap(({ path, method, operation }) => {
      const plain = withoutReferences(operation, contract);
      return [
        ...mistakesInWords(plain, contract),
        ...mistakesInParameters(path, plain),
        ...mistakesInAnswers(plain),
        ...missingExamples(plain),
      ].map((mistake) => `${method.toUpperCase()} ${path}: ${mistake}`);
    }),
    ...repeated(operations.map(({ operation }) => operation.operationId ?? '')),
    ...repeated(Object.keys(contract.paths).map(removeParameterNames)),
    ...unusedTags(
      operations.map(({ operation }) => operation),
      contract,
    ),
    ...mistakesInSchemas(contract),
  ];
}

/** Replaces references to parameters and responses under `components` by their content. */
function withoutReferences(operation: Operation, { components }: Contract): Operation {
  const find = <Part extends { $ref?: string }>(place: string, part: Part): Part =>
    ((part.$ref && components[place]?.[part.$ref.split('/').at(-1)!]) as Part | undefined) || part;
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    find('responses', response),
  ]);
  return {
    ...operation,
    parameters: (operation.parameters ?? []).map((parameter) => find('parameters', parameter)),
    responses: Object.fromEntries(responses),
  };
}

function mistakesInWords(operation: Operation, contract: Contract): string[] {
  const { operationId, summary, description, security, tags = [] } = operation;
  const known = contract.tags.map(({ name }) => name);
  return [
    ...(operationId ? [] : ['its schema has no operationId']),
    ...(summary ? [] : ['its schema has no summary']),
    ...(description ? [] : ['its schema has no description']),
    ...(security ? [] : ['does not say which token it takes']),
    ...(tags.length === 1 && known.includes(tags[0]!)
      ? []
      : ['needs one tag of scripts/contract/introduction.ts']),
  ];
}

function mistakesInParameters(path: string, { parameters = [] }: Operation): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const declared = parameters.filter((parameter) => parameter.in === 'path');
  const missing = inPath.filter(
    (name) => !declared.some((parameter) => parameter.name === name && parameter.required),
  );
  const strange = declared.map(({ name }) => name).filter((name) => !inPath.includes(name));
  return [
    ...[...missing, ...strange].map(
      (name) => `the path parameter ${name} is not declared, or not in the path`,
    ),
    ...parameters
      .filter(({ description }) => !description)
      .map(({ name }) => `the parameter ${name} is not described`),
  ];
}

const codes = new Map<number, number>(
  Object.values(errorCatalogue).map(({ code, status }) => [code, status]),
);

function mistakesInAnswers({ responses }: Operation): string[] {
  const mistakes = Object.entries(responses).flatMap(([status, response]) => [
    ...(response.description ? [] : [`the response ${status} is not described`]),
    ...listErrorCodes(response)
      .filter((code) => codes.get(code) !== Number(status))
      .map((code) => `the error ${code} is not one of the catalogue with the status ${status}`),
  ]);
  if (!Object.keys(responses).some((status) => /^[23]/.test(status)))
    mistakes.push('has no success response');
  return mistakes;
}

function listErrorCodes({ content = {} }: Response): number[] {
  const { examples = {} } = content['application/json'] ?? {};
  return Object.values(examples).map(({ value }) => (value as { code: number }).code);
}

function missingExamples({ requestBody, responses }: Operation): string[] {
  const bodies: [string, Record<string, Media> | undefined][] = [
    ['the request', requestBody?.content],
    ...Object.entries(responses).map(([status, { content }]) => [status, content] as (typeof bodies)[number]),
  ];
  return bodies
    .filter(([, content = {}]) => Object.values(content).some((media) => !hasExample(media)))
    .map(([what]) => `${what} has no example`);
}

/** Returns whether the body has an example. Binary content needs none. */
function hasExample({ schema, example, examples }: Media): boolean {
  return example !== undefined || examples !== undefined || schema?.format === 'binary';
}

function repeated(names: string[]): string[] {
  const twice = names.filter((name, index) => name && names.indexOf(name) !== index);
  return twice.map((name) => `${name} is there twice`);
}

function unusedTags(operations: Operation[], { tags }: Contract): string[] {
  return tags
    .filter(({ name }) => !operations.some((operation) => operation.tags?.includes(name)))
    .map(({ name }) => `no operation has the tag ${name}`);
}
