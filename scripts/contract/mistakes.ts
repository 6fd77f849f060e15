/** Whether the document is one that clients can be made from: OpenAPI 3.1's rules that a route can break. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats, { type FormatsPlugin } from 'ajv-formats';
import { operationNames } from './names.ts';
import { shapeOf } from './same-paths.ts';
import type { Contract, Operation, Response, Schema } from './types.ts';

export function mistakesIn(contract: Contract): string[] {
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  return [
    ...operations.flatMap(({ path, method, operation }) => {
      const at = `${method.toUpperCase()} ${path}`;
      return [
        ...mistakesInWords(operation, contract),
        ...mistakesInParameters(path, operation),
        ...mistakesInAnswers(operation),
        ...mistakesInExamples([operation.requestBody, ...Object.values(operation.responses)], contract),
      ].map((mistake) => `${at}: ${mistake}`);
    }),
    ...mistakesInExamples(Object.values(contract.components.responses!), contract),
    ...mistakesInExamples(
      Object.values(contract.webhooks).map(({ post }) => post?.requestBody),
      contract,
    ),
    ...repeated(operations.map(({ operation }) => operation.operationId ?? '')),
    ...staleNames(operations.map(({ operation }) => operation.operationId ?? '')),
    ...repeated(Object.keys(contract.paths).map(shapeOf)),
    ...missingReferences(contract),
  ];
}

function mistakesInWords({ operationId, summary, tags = [] }: Operation, contract: Contract): string[] {
  const mistakes: string[] = [];
  if (!operationId) mistakes.push('has no name in scripts/contract/names.ts');
  if (!summary) mistakes.push('has no summary');
  const known = contract.tags.map(({ name }) => name);
  if (tags.length !== 1 || !known.includes(tags[0]!))
    mistakes.push('needs one tag of scripts/contract/names.ts');
  return mistakes;
}

function mistakesInParameters(path: string, { parameters = [] }: Operation): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const declared = parameters.filter((parameter) => parameter.in === 'path');
  return [
    ...inPath.filter((name) => !declared.some((parameter) => parameter.name === name && parameter.required)),
    ...declared.map(({ name }) => name).filter((name) => !inPath.includes(name)),
  ].map((name) => `the path parameter ${name} is not declared, or not in the path`);
}

function mistakesInAnswers({ responses }: Operation): string[] {
  const mistakes = Object.entries(responses)
    .filter(([, { $ref, description }]) => !$ref && !description)
    .map(([status]) => `the answer ${status} is not described`);
  if (!Object.keys(responses).some((status) => /^[23]/.test(status))) mistakes.push('has no success');
  return mistakes;
}

/** Every schema compiles, and every example is what its schema says. */
function mistakesInExamples(parts: unknown[], contract: Contract): string[] {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    discriminator: true,
  });
  (formats as unknown as FormatsPlugin)(ajv, ['date', 'date-time', 'email', 'binary']);
  ajv.addVocabulary(['example']);
  const media = parts.flatMap((part) =>
    Object.values((part as Partial<Response> | undefined)?.content ?? {}),
  );
  return media.flatMap(({ schema = {}, example, examples = {} }) => {
    try {
      const validate = ajv.compile(resolved(schema, contract));
      const given = [
        ...Object.values(examples).map(({ value }) => value),
        ...(example === undefined ? [] : [example]),
      ];
      return given
        .filter((value) => !validate(value))
        .map((value) => `an example is not what its schema says: ${JSON.stringify(value)}`);
    } catch (error) {
      return [`a schema is wrong: ${(error as Error).message}`];
    }
  });
}

/** The schema that a media type's `$ref` names; inside schemas there are none. */
function resolved(schema: Schema, contract: Contract): Schema {
  if (typeof schema.$ref !== 'string') return schema;
  return contract.components.schemas![schema.$ref.split('/').at(-1)!] as Schema;
}

function repeated(names: string[]): string[] {
  const twice = names.filter((name, index) => name && names.indexOf(name) !== index);
  return twice.map((name) => `${name} is there twice`);
}

function staleNames(present: string[]): string[] {
  const stale = Object.entries(operationNames).filter(([, name]) => !present.includes(name));
  return stale.map(([route]) => `scripts/contract/names.ts names ${route}, which does not exist`);
}

function missingReferences(contract: Contract): string[] {
  const references = [...JSON.stringify(contract).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    (match) => match[1]!,
  );
  const find = (reference: string) =>
    reference.split('/').reduce<unknown>((inner, key) => (inner as Record<string, unknown>)?.[key], contract);
  return [...new Set(references)]
    .filter((reference) => find(reference) === undefined)
    .map((reference) => `#/${reference} does not exist`);
}
