import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { programAnswers } from '#server/db/schema.ts'
import { chunk, type Script, says, streams, thoughtChunk, usageChunk } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { MAX_KEPT_BYTES } from './kept-items.ts'
import { startPrograms } from './testing/programs.ts'
import { strict } from './testing/strict-provider.ts'

/** Requests that programs really sent, against providers that are as strict as the real ones. */

const programs = await closeAfterTests(startPrograms())
const { db, provider, ask, makeKey, baseURL } = programs
afterEach(async () => expect(await reconcile(db)).toEqual([]))

interface Recorded {
  program: string
  version: string
  path: string
  requests: (Record<string, unknown> & { stream?: boolean })[]
}

const FOLDER = join(import.meta.dirname, 'testing/recorded')
const names = (await readdir(FOLDER)).map((file) => file.replace('.json', ''))
const recorded = async (name: string): Promise<Recorded> =>
  JSON.parse(await readFile(join(FOLDER, `${name}.json`), 'utf8'))

const eventsOf = async (response: Response) =>
  (await response.text()).split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))

const calls = (name: string, json: string, ...before: string[]): Script =>
  streams(
    ...before,
    `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [{ index: 0, id: 'c1', function: { name, arguments: json } }] } }] })}\n\n`,
    chunk(null, 'tool_calls'),
    usageChunk(9, 4),
  )

const models = { OpenAI: 'fast', DeepSeek: 'thinker' } as const

/** Sends the last recorded request with another model. */
async function replay(name: string, kind: keyof typeof models, then: Script): Promise<Response> {
  const { secret } = await makeKey()
  const { path, requests } = await recorded(name)
  provider.play(strict(kind, then))
  return ask(secret, path, { ...requests.at(-1), model: models[kind] })
}

describe('what programs send is answered by strict providers (S10.1040, S10.1044)', () => {
  test.each(names.flatMap((name) => [[name, 'OpenAI'] as const, [name, 'DeepSeek'] as const]))(
    '%s, %s',
    async (name, kind) => {
      const response = await replay(name, kind, says('Готово'))
      expect([response.status, await response.text()]).toMatchObject([200, expect.stringContaining('Готово')])
    },
  )
})

test('calls of Codex go back under its own names (S10.1040, S10.1041)', async () => {
  const cases = [
    ['codex-mcp', 'mcp__weather__weather', { type: 'function_call', name: 'weather', namespace: 'mcp__weather' }],
    ['codex-mcp', 'exec_command', { type: 'function_call', name: 'exec_command' }],
    ['codex-code-mode', 'exec', { type: 'custom_tool_call', name: 'exec', namespace: 'functions', input: 'text(1)' }],
    ['codex-code-mode', 'clock__sleep', { type: 'function_call', name: 'sleep', namespace: 'clock' }],
    ['codex-tool-search', 'apply_patch', { type: 'custom_tool_call', name: 'apply_patch', input: 'text(1)' }],
    ['codex-tool-search', 'tool_search', { type: 'tool_search_call', arguments: { input: 'text(1)' } }],
  ] as const
  for (const [name, called, item] of cases) {
    const events = await eventsOf(await replay(name, 'OpenAI', calls(called, '{"input":"text(1)"}')))
    const added = events.find(({ type }) => type === 'response.output_item.done')
    expect(added).toMatchObject({ item: { ...item, call_id: 'c1' } })
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output: [item] } })
  }
})

test('the model gets namespaces and tools of one text as functions (S10.1040, S10.1041)', async () => {
  const response = await replay('codex-tool-search', 'OpenAI', says('Да'))
  expect(response.headers.get('x-tools-left-out')).toBe('web_search')
  await response.text()
  const sent = provider.received.at(-1) as unknown as {
    tools: { function: { name: string; description: string; parameters: unknown } }[]
    messages: { tool_calls?: { function: { name: string } }[]; content: string }[]
  }
  const patch = sent.tools.find((one) => one.function.name === 'apply_patch')
  expect(patch?.function.parameters).toMatchObject({ required: ['input'] })
  expect(patch?.function.description).toContain('grammar')
  expect(sent.tools.map((one) => one.function.name)).toContain('mcp__weather__weather')
  const history = sent.messages.flatMap(({ tool_calls = [] }) => tool_calls.map((one) => one.function.name))
  expect(history).toEqual(['tool_search', 'mcp__weather__weather', 'apply_patch'])
  expect(sent.messages.map(({ content }) => content).join()).toContain('"found":["mcp__weather__weather"')
})

test('long names stay apart and have letters that OpenAI takes (S10.1040)', async () => {
  const { secret } = await makeKey()
  const inner = ['a', 'b'].map((end) => ({ type: 'function', name: `${'очень_'.repeat(20)}${end}`, parameters: {} }))
  const tools = [{ type: 'namespace', name: 'mcp__server', tools: inner }]
  provider.play(strict('OpenAI', says('Да')))
  const response = await ask(secret, '/responses', { model: 'fast', input: 'Привет', tools })
  expect(response.status).toBe(200)
  const wrong = [{ type: 'namespace', name: 'x', tools: [{ type: 'file_search' }] }]
  const refused = await ask(secret, '/responses', { model: 'fast', input: 'Привет', tools: wrong })
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: 'tools[0].tools[0].type' } }])
})

test('a message between a call and its result follows the result (S10.1042)', async () => {
  const { secret } = await makeKey()
  provider.play(strict('OpenAI', says('Да')))
  const input = [
    { role: 'user', content: 'Погода?' },
    { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{}' },
    { role: 'developer', content: 'Кратко' },
    { type: 'function_call', call_id: 'c2', name: 'weather', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c2', output: '-2' },
    { type: 'function_call_output', call_id: 'c1', output: '-1' },
  ]
  expect((await ask(secret, '/responses', { model: 'fast', input })).status).toBe(200)
  const sent = (provider.received.at(-1)?.messages ?? []) as { role: string }[]
  const roles = sent.map(({ role }) => role)
  expect(roles).toEqual(['user', 'assistant', 'tool', 'tool', 'system'])
})

describe('items by their ids (S10.1043)', () => {
  const weather = tool({
    inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
    execute: async ({ city }) => `${city}: -20`,
  })
  const thinksAndCalls = calls('weather', '{"city":"Омск"}', thoughtChunk('Смотрю погоду'), chunk('Сейчас. '))

  test('the AI SDK works as it is, whole and as a stream', async () => {
    const { secret } = await makeKey()
    const sdk = createOpenAI({ baseURL, apiKey: secret })
    const asked = { model: sdk('thinker'), prompt: 'Погода?', tools: { weather }, stopWhen: stepCountIs(3) }
    provider.play(strict('DeepSeek', thinksAndCalls), strict('DeepSeek', says('Холодно')))
    const whole = await generateText(asked)
    expect([whole.text, whole.steps.length]).toEqual(['Холодно', 2])
    expect(provider.received.at(-1)?.messages).toMatchObject([
      {},
      { content: 'Сейчас. ', reasoning_content: 'Смотрю погоду', tool_calls: [{ id: 'c1' }] },
      { role: 'tool', content: 'Омск: -20' },
    ])
    provider.play(strict('DeepSeek', thinksAndCalls), strict('DeepSeek', says('Холодно')))
    expect(await streamText(asked).text).toBe('Холодно')
    const messages = [
      ...[{ role: 'user' as const, content: 'Погода?' }, ...whole.response.messages],
      { role: 'user' as const, content: 'А завтра?' },
    ]
    provider.play(strict('DeepSeek', says('Тоже')))
    expect((await generateText({ model: sdk('thinker'), messages })).text).toBe('Тоже')
  })

  const items = async (secret: string, more: object = {}) => {
    provider.play(says('Тайна'))
    const response = await ask(secret, '/responses', { model: 'fast', input: 'Привет', ...more })
    return (await response.json()) as { store: boolean; output: { id: string }[] }
  }
  const name = (secret: string, id: string | undefined) =>
    ask(secret, '/responses', {
      model: 'fast',
      input: [
        { type: 'item_reference', id },
        { role: 'user', content: 'Да' },
      ],
    })

  test('are of one person and unreadable in the database', async () => {
    const { secret, userId } = await makeKey()
    const { output } = await items(secret)
    const id = output[0]?.id
    expect((await name(secret, id)).status).toBe(200)
    expect(provider.received.at(-1)?.messages).toMatchObject([{ role: 'assistant', content: 'Тайна' }, {}])
    const stranger = await name((await makeKey()).secret, id)
    const message = expect.stringContaining('сутки')
    expect([stranger.status, await stranger.json()]).toMatchObject([400, { error: { param: 'input[0].id', message } }])
    const rows = await db.select().from(programAnswers).where(eq(programAnswers.userId, userId))
    expect(rows).toHaveLength(2)
    const stored = Buffer.concat(
      rows.flatMap(({ body, ...row }) => [body ?? Buffer.alloc(0), Buffer.from(JSON.stringify(row))]),
    )
    expect([id?.slice(4, 26) ?? '', 'Тайна'].map((part) => stored.includes(part))).toEqual([false, false])
  })

  test('are not kept with store: false', async () => {
    const { secret, userId } = await makeKey()
    const { store, output } = await items(secret, { store: false })
    expect(store).toBe(false)
    expect((await name(secret, output[0]?.id)).status).toBe(400)
    expect(await db.select().from(programAnswers).where(eq(programAnswers.userId, userId))).toEqual([])
  })

  test('the oldest give way when a person has too many', async () => {
    const { secret, userId } = await makeKey()
    const first = await items(secret)
    const body = sql`decode(repeat('00', ${MAX_KEPT_BYTES / 2}), 'hex')`
    for (const id of ['x', 'y'])
      await db
        .insert(programAnswers)
        .values({ id: userId + id, userId, request: '', instance: '', type: 'items', body })
    const last = await items(secret)
    expect((await name(secret, first.output[0]?.id)).status).toBe(400)
    expect((await name(secret, last.output[0]?.id)).status).toBe(200)
  })
})

test('a stream that the balance ended says so (S10.1045)', async () => {
  const { secret } = await makeKey({ capDay: 3006 })
  const body = { model: 'fast', input: 'Привет' }
  provider.play(says(...Array.from({ length: 100 }, () => 'я'.repeat(40))))
  const events = await eventsOf(await ask(secret, '/responses', { ...body, stream: true }))
  expect(events.at(-1)).toMatchObject({
    type: 'response.failed',
    response: {
      status: 'failed',
      error: { code: 'insufficient_quota' },
      output: [{ content: [{ text: 'я'.repeat(1500) }] }],
      usage: { symbols: { stopped: 'balance' } },
    },
  })
  const other = await makeKey({ capDay: 3006 })
  const whole = await ask(other.secret, '/responses', body)
  expect(await whole.json()).toMatchObject({ status: 'incomplete', output: [{ type: 'message' }] })
})
