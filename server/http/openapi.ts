import * as z from 'zod/mini'
import { api as pageApi, programApi } from '#contract/api.ts'
import type { Endpoint, JsonEndpoint } from '#contract/endpoint.ts'
import { ErrorBody } from '#contract/errors.ts'
import { OpenAiErrorBody, programErrors } from '#contract/openai.ts'
import { escapeHtml, htmlPage } from '#server/lib/html.ts'
import type { App } from './route.ts'

const api = { ...pageApi, ...programApi }

/** Serves the contract as OpenAPI 3.1 and as a readable page. */
export function apiDocs(app: App, appName: string) {
  // Built at the first request: each takes a fifth of a second, and few installations need them.
  let document: string | undefined
  let page: ReturnType<typeof docsPage> | undefined
  app.get('/api/openapi.json', (c) => {
    document ??= JSON.stringify(openApi(appName))
    return c.body(document, 200, { 'content-type': 'application/json' })
  })
  app.get('/api/docs', (c) => {
    page ??= docsPage(appName)
    return c.html(page)
  })
}

export function openApi(appName: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [section, calls] of Object.entries(api)) {
    for (const call of Object.values(calls)) {
      const path = call.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(section, call) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: appName, version: '1' },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'better-auth.session_token' },
        key: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function operation(section: string, call: Endpoint) {
  return {
    tags: [section],
    summary: call.summary,
    ...(call.who === 'anyone' ? {} : { security: [call.who === 'key' ? { key: [] } : { session: [] }] }),
    parameters: [...pathParameters(call.path), ...queryParameters(call)],
    ...requestBody(call),
    responses: {
      200: { description: 'Готово', content: answerOf(call) },
      default: { description: 'Отказ', content: json(call.who === 'key' ? OpenAiErrorBody : ErrorBody, 'output') },
    },
  }
}

const bytes = { schema: { type: 'string', format: 'binary' } }
const form = { schema: { type: 'object', properties: { file: bytes.schema }, required: ['file'] } }

function requestBody({ takes, body }: Endpoint) {
  if (takes === 'form') return { requestBody: { required: true, content: { 'multipart/form-data': form } } }
  if (takes === 'bytes') return { requestBody: { required: true, content: { 'application/octet-stream': bytes } } }
  return body ? { requestBody: { required: true, content: json(body, 'input') } } : {}
}

function answerOf(call: Endpoint) {
  if (call.answers === 'file') return { '*/*': bytes }
  const whole = json(call.returns, 'output')
  return call.answers === 'stream' ? { 'text/event-stream': { schema: { type: 'string' } }, ...whole } : whole
}

type Schema = JsonEndpoint['returns']

const json = (schema: Schema, io: 'input' | 'output') => ({
  'application/json': { schema: jsonSchema(schema, io) },
})

function jsonSchema(schema: Schema, io: 'input' | 'output') {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' })
}

function pathParameters(path: string) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Endpoint) {
  if (!query) return []
  const { properties = {}, required = [] } = jsonSchema(query, 'input')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

const takesLabel = { json: '', form: 'тело — форма с файлом', bytes: 'тело — байты' } as const
const answersLabel = { json: '', file: 'ответ — файл', stream: 'ответ — поток событий или JSON' } as const
const whoLabel = { anyone: 'всем', user: 'вошедшим', admin: 'администраторам', key: 'программам с ключом' } as const

function docsPage(appName: string): string {
  const sections = Object.entries(api).map(
    ([section, calls]) => `<h2>${section}</h2>${Object.values(calls).map(describe).join('')}`,
  )
  const errorList = Object.entries(programErrors)
    .map(([code, [status, when]]) => `<li>${status} <code>${code}</code> — ${when}</li>`)
    .join('')
  return htmlPage({
    title: `API — ${appName}`,
    style: `
body { max-width: 760px; margin: 0 auto; padding: 32px 16px; }
code { font: 14px ui-monospace, monospace; }
details { border-bottom: 1px solid #8884; padding: 8px 0; }
summary { cursor: pointer; }
pre { overflow: auto; font-size: 13px; background: #8881; padding: 12px; border-radius: 10px; }
small { opacity: 0.75; }`,
    body: `<h1>API</h1>
<p>Ошибки приходят как <code>{status, code, message}</code>, у адресов <code>/v1</code> как <code>{error: {message, type, param, code}}</code>. Машинное описание: <a href="/api/openapi.json">openapi.json</a>.</p>
${sections.join('')}
<h2>Ошибки адресов /v1</h2>
<ul>${errorList}</ul>`,
  })
}

function describe(call: Endpoint): string {
  const parts = [
    ['Тело', call.body && jsonSchema(call.body, 'input')],
    ['Параметры', call.query && jsonSchema(call.query, 'input')],
    ['Ответ', call.returns && jsonSchema(call.returns, 'output')],
  ] as const
  const shown = parts.filter(([, schema]) => schema)
  const kind = [takesLabel[call.takes ?? 'json'], answersLabel[call.answers ?? 'json']].filter(Boolean).join(', ')
  return `<details><summary><code>${call.method} ${call.path.replace(/:(\w+)/g, '{$1}')}</code> — ${call.summary} <small>${whoLabel[call.who]}${kind && `; ${kind}`}</small></summary>${shown
    .map(([title, schema]) => `<p>${title}</p><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`)
    .join('')}</details>`
}
